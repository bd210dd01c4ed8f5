/** Settings that are neither model nor mode: chosen for a session, or for the turn of one prompt. */
import { expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import type { Command, CommandOf } from "../../core/command.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { SettingValues } from "../../core/setting.ts";
import { ScriptedAdapter } from "../../testkit/scripted-adapter.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { type OpenOptions, open, text } from "../engine.test-support.ts";
import type { Engine } from "../engine.ts";

const LEVELS = ["low", "medium", "high"].map((id) => ({ id }));

function effort(value: string) {
  return [{ id: "effort", name: "Effort", value, choices: LEVELS }];
}

/** Each agent has an effort, begins with medium, and tells what it took unless it is mute. */
function effortAdapter({ isMute = false } = {}): ScriptedAdapter {
  const adapter = new ScriptedAdapter();
  adapter.onConnect = (session) => {
    session.say({ type: "session.updated", settings: effort("medium") });
    session.onConfigure = async ({ settings }) => {
      if (!isMute) session.say({ type: "session.updated", settings: effort(String(settings?.effort)) });
    };
  };
  return adapter;
}

interface OpenedOptions extends Pick<OpenOptions, "limits" | "isKilled"> {
  isMute?: boolean;
  settings?: SettingValues;
}

async function opened(options: OpenedOptions = {}) {
  const adapter = effortAdapter(options);
  const all = await open({ ...options, adapter });
  await all.engine.run(
    "createSession",
    { id: "s", agent: "scripted", cwd: "/", settings: options.settings },
    TESTER,
  );
  /** Resolves when its turn has ended. */
  const run = async (engine: Engine, settings?: SettingValues) => {
    const started = () => adapter.sessions.flatMap(said).filter((type) => type === "prompt").length;
    const before = started();
    await engine.run("prompt", { session: "s", parts: text("hi"), whenBusy: "queue", settings }, TESTER);
    await until(() => started() > before);
    adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await until(async () => (await engine.run("getSession", { session: "s" }, TESTER)).status === "idle");
  };
  return { ...all, run };
}

function said({ commands }: { commands: readonly Command[] }): string[] {
  return commands.map((command) => (command.type === "configure" ? words(command) : command.type));
}

function words({ settings }: CommandOf<"configure">): string {
  return `effort ${settings?.effort}`;
}

async function effortOf(engine: Engine): Promise<unknown> {
  return (await engine.run("getSession", { session: "s" }, TESTER)).settings?.find(
    ({ id }) => id === "effort",
  )?.value;
}

it.each([{ isMute: false }, { isMute: true }])(
  "a prompt's setting holds for its turn alone (%o)",
  async (how) => {
    const { engine, adapter, run, events } = await opened(how);
    await run(engine, { effort: "high" });
    await until(() => said(adapter.last).length === 3);
    await until(async () => (await effortOf(engine)) === "medium");
    await run(engine);
    expect(said(adapter.last)).toEqual(["effort high", "prompt", "effort medium", "prompt"]);
    const log = await events();
    expect(log.find(({ type }) => type === "prompt.accepted")).toMatchObject({
      settings: { effort: "high" },
    });
    expect(checkLog(log)).toEqual([]);
  },
);

it("two prompts with the same setting need one change, and one back", async () => {
  const { engine, adapter } = await opened();
  for (const words of ["one", "two"])
    await engine.run(
      "prompt",
      { session: "s", parts: text(words), whenBusy: "queue", settings: { effort: "low" } },
      TESTER,
    );
  await until(() => said(adapter.last ?? { commands: [] }).length === 2);
  adapter.last.say({ type: "turn.ended", outcome: "completed" });
  await until(() => said(adapter.last).length === 3);
  adapter.last.say({ type: "turn.ended", outcome: "completed" });
  await until(() => said(adapter.last).length === 4);
  expect(said(adapter.last)).toEqual(["effort low", "prompt", "prompt", "effort medium"]);
});

it("what a session has chosen is shown at once and given to each process of the agent", async () => {
  const { engine, adapter, run, has } = await opened({ settings: { effort: "high" } });
  expect(await effortOf(engine)).toBe("high");
  await run(engine);
  adapter.last.die(1);
  await has("session.detached");
  await run(engine);
  expect(adapter.sessions.map(said)).toEqual([
    ["effort high", "prompt"],
    ["effort high", "prompt"],
  ]);
});

it("an agent that dies in a turn with other settings is given those from before when it is back", async () => {
  const { engine, adapter, has } = await opened();
  await engine.run(
    "prompt",
    { session: "s", parts: text("hi"), whenBusy: "queue", settings: { effort: "low" } },
    TESTER,
  );
  await until(() => said(adapter.last ?? { commands: [] }).length === 2);
  const begin = adapter.onConnect;
  // Some take up their conversation with what was last in force.
  adapter.onConnect = (session) => {
    begin?.(session);
    session.say({ type: "session.updated", settings: effort("low") });
  };
  adapter.last.die(1);
  await has("session.detached");
  await engine.run("prompt", { session: "s", parts: text("again"), whenBusy: "queue" }, TESTER);
  await until(() => adapter.sessions.length === 2 && said(adapter.last).length === 2);
  expect(said(adapter.last)).toEqual(["effort medium", "prompt"]);
});

it("a setting or value the agent does not have is refused with those there are, and nothing is stored", async () => {
  const { engine, run, events } = await opened();
  await run(engine);
  const before = await events();
  const prompt = (settings: SettingValues) =>
    engine.run("prompt", { session: "s", parts: text("hi"), whenBusy: "queue", settings }, TESTER);
  for (const ask of [
    prompt,
    (settings: SettingValues) => engine.run("updateSession", { session: "s", settings }, TESTER),
  ]) {
    await expect(ask({ volume: "11" })).rejects.toMatchObject({
      code: "option_not_offered",
      message: expect.stringContaining("effort"),
    });
    await expect(ask({ effort: "enormous" })).rejects.toMatchObject({
      code: "option_not_offered",
      message: expect.stringContaining("low, medium, high"),
    });
  }
  expect(await events()).toEqual(before);
});

it("a prompt whose settings the agent refuses fails, and what was before stays", async () => {
  const { engine, adapter, run, has, events } = await opened();
  await run(engine);
  adapter.last.onConfigure = async () => {
    throw new InterlinguaError("unsupported", "Not today.");
  };
  await engine.run(
    "prompt",
    { session: "s", parts: text("hi"), whenBusy: "queue", settings: { effort: "high" } },
    TESTER,
  );
  await has("turn.ended", 2);
  expect((await events()).findLast(({ type }) => type === "turn.ended")).toMatchObject({
    outcome: "failed",
    error: { code: "unsupported", message: expect.stringContaining("Not today.") },
  });
  expect(await effortOf(engine)).toBe("medium");
  await run(engine);
  expect(said(adapter.last)).toEqual(["prompt", "effort high", "prompt"]);
});

it("a choice the agent does not offer fails each prompt until it is taken back", async () => {
  const { engine, has, run } = await opened({ settings: { volume: "11" } });
  await engine.run("prompt", { session: "s", parts: text("hi"), whenBusy: "queue" }, TESTER);
  await has("turn.ended");
  expect(await engine.run("getSession", { session: "s" }, TESTER)).toMatchObject({ status: "failed" });
  await engine.run("updateSession", { session: "s", settings: { volume: null } }, TESTER);
  await run(engine);
});

it("a model and a setting that only this model has are changed together", async () => {
  const { engine, adapter, run } = await opened();
  await run(engine);
  adapter.last.onConfigure = async () => {
    const choices = [...LEVELS, { id: "max" }];
    const settings = [{ id: "effort", name: "Effort", value: "max", choices }];
    adapter.last.say({ type: "session.updated", model: "large", settings });
  };
  await engine.run("updateSession", { session: "s", model: "large", settings: { effort: "max" } }, TESTER);
  expect(await engine.run("getSession", { session: "s" }, TESTER)).toMatchObject({ model: "large" });
  expect(await effortOf(engine)).toBe("max");
  await expect(
    engine.run("updateSession", { session: "s", model: "large", settings: { effort: "huge" } }, TESTER),
  ).rejects.toMatchObject({
    code: "option_not_offered",
  });
});

it("a choice that is withdrawn while the agent dies is withdrawn for the next one", async () => {
  const { engine, adapter, run, events } = await opened({ settings: { effort: "high" } });
  await run(engine);
  adapter.last.onConfigure = () => {
    adapter.last.die(1);
    return new Promise(() => {});
  };
  await engine.run("updateSession", { session: "s", model: "large", settings: { effort: null } }, TESTER);
  await run(engine);
  expect(adapter.sessions.map(said)).toEqual([["effort high", "prompt", "effort undefined"], ["prompt"]]);
  expect(checkLog(await events())).toEqual([]);
});

it("a choice that is withdrawn while the daemon dies is withdrawn for the next agent", async () => {
  const { store, engine, adapter, run } = await opened({ settings: { effort: "high" }, isKilled: true });
  await run(engine);
  adapter.last.onConfigure = () => new Promise(() => {});
  const change = engine.run(
    "updateSession",
    { session: "s", model: "large", settings: { effort: null } },
    TESTER,
  );
  change.catch(() => {});
  await until(() => said(adapter.last).length === 3);
  const next = await open({ store, adapter: effortAdapter() });
  await next.engine.run("prompt", { session: "s", parts: text("again"), whenBusy: "queue" }, TESTER);
  await until(() => said(next.adapter.last ?? { commands: [] }).includes("prompt"));
  expect(said(next.adapter.last)).toEqual(["prompt"]);
  expect(await next.engine.run("getSession", { session: "s" }, TESTER)).toMatchObject({ model: "large" });
});

it("a prompt with empty settings is one without", async () => {
  const { engine, adapter, has } = await opened();
  const prompt = { id: "m", parts: text("hi"), whenBusy: "queue" as const };
  const first = await engine.run("prompt", { session: "s", ...prompt, settings: {} }, TESTER);
  expect(await engine.run("prompt", { session: "s", ...prompt }, TESTER)).toEqual(first);
  await until(() => said(adapter.last ?? { commands: [] }).length === 1);
  await engine.run("prompt", { session: "s", parts: text("more"), whenBusy: "steer", settings: {} }, TESTER);
  await has("prompt.accepted", 2);
});

it("the same prompt with other settings is another prompt", async () => {
  const { engine } = await opened();
  const prompt = { id: "m", parts: text("hi"), whenBusy: "queue" as const, settings: { effort: "low" } };
  const first = await engine.run("prompt", { session: "s", ...prompt }, TESTER);
  expect(await engine.run("prompt", { session: "s", ...prompt }, TESTER)).toEqual(first);
  const other = { ...prompt, settings: { effort: "high" } };
  await expect(engine.run("prompt", { session: "s", ...other }, TESTER)).rejects.toMatchObject({
    code: "message_exists",
  });
});

it("a prompt that is to steer has no settings of its own", async () => {
  const { engine } = await opened();
  const prompt = { parts: text("hi"), whenBusy: "steer" as const, settings: { effort: "low" } };
  await expect(engine.run("prompt", { session: "s", ...prompt }, TESTER)).rejects.toMatchObject({
    code: "unsupported",
  });
});

it("a prompt's own setting wins over one that a client sets just before its turn", async () => {
  const { engine, adapter, run } = await opened();
  await run(engine);
  const answer = adapter.last.onConfigure;
  const held = Promise.withResolvers<void>();
  adapter.last.onConfigure = (command) => held.promise.then(() => answer?.(command));
  await engine.run(
    "prompt",
    { session: "s", parts: text("hi"), whenBusy: "queue", settings: { effort: "high" } },
    TESTER,
  );
  await until(() => said(adapter.last).length === 2);
  const changed = engine.run("updateSession", { session: "s", settings: { effort: "low" } }, TESTER);
  held.resolve();
  await changed;
  await until(() => said(adapter.last).filter((type) => type === "prompt").length === 2);
  expect(said(adapter.last).at(-2)).toBe("effort high");
  expect(await effortOf(engine)).toBe("high");
  adapter.last.say({ type: "turn.ended", outcome: "completed" });
  await until(async () => (await effortOf(engine)) === "low");
});

it("a prompt that is taken back and sent again under its id gets its settings again", async () => {
  const { engine, adapter, has } = await opened({ settings: { effort: "high" } });
  const prompt = { id: "m", parts: text("hi"), whenBusy: "queue" as const, settings: { effort: "high" } };
  await engine.run("prompt", { session: "s", ...prompt }, TESTER);
  await until(() => said(adapter.last ?? { commands: [] }).length === 2);
  adapter.last.say({ type: "turn.ended", outcome: "completed" });
  await has("turn.ended");
  await engine.run("updateSession", { session: "s", settings: { effort: "low" } }, TESTER);
  await engine.run("rewind", { session: "s", before: "m" }, TESTER);
  await engine.run("prompt", { session: "s", ...prompt }, TESTER);
  await until(() => said(adapter.last).filter((type) => type === "prompt").length === 2);
  expect(said(adapter.last).slice(-3)).toEqual(["rewind", "effort high", "prompt"]);
});

it("an agent that takes a setting and reports another is asked once for each prompt", async () => {
  const { engine, adapter, run } = await opened();
  await run(engine);
  adapter.last.onConfigure = async () =>
    adapter.last.say({ type: "session.updated", settings: effort("low") });
  for (const _ of [1, 2]) await run(engine, { effort: "high" });
  const before = said(adapter.last).filter((type) => type === "effort high");
  expect(before).toHaveLength(2);
});

it("a prompt's setting that the agent takes too late does not stay", async () => {
  const { engine, adapter, run, has } = await opened({ limits: { settingsTimeoutMs: 30 } });
  await run(engine);
  const answer = adapter.last.onConfigure;
  const late = Promise.withResolvers<void>();
  adapter.last.onConfigure = (command) => late.promise.then(() => answer?.(command));
  await engine.run(
    "prompt",
    { session: "s", parts: text("hi"), whenBusy: "queue", settings: { effort: "high" } },
    TESTER,
  );
  await has("turn.ended", 2);
  late.resolve();
  await run(engine);
  const wanted = said(adapter.last);
  expect(wanted.indexOf("effort high")).toBe(1);
  expect(wanted.lastIndexOf("effort medium")).toBeGreaterThan(1);
  expect(wanted.lastIndexOf("prompt")).toBeGreaterThan(wanted.indexOf("effort medium"));
  expect(await effortOf(engine)).toBe("medium");
});

it("a restore that the agent refuses once is tried again before the next prompt", async () => {
  const { engine, adapter, run, has, events } = await opened();
  await run(engine);
  const answer = adapter.last.onConfigure;
  adapter.last.onConfigure = async (command) => {
    if (command.settings?.effort === "medium") throw new InterlinguaError("unsupported", "Not today.");
    return answer?.(command);
  };
  await run(engine, { effort: "high" });
  await has("notice");
  adapter.last.onConfigure = answer;
  await run(engine);
  expect(said(adapter.last)).toEqual([
    "prompt",
    "effort high",
    "prompt",
    "effort medium",
    "effort medium",
    "prompt",
  ]);
  expect(await effortOf(engine)).toBe("medium");
  expect(checkLog(await events())).toEqual([]);
});

it("a former value that the agent does not offer any more is given up, with a notice", async () => {
  const { engine, adapter, run, has, events } = await opened();
  await run(engine);
  await engine.run(
    "prompt",
    { session: "s", parts: text("hi"), whenBusy: "queue", settings: { effort: "high" } },
    TESTER,
  );
  await until(() => said(adapter.last).length === 3);
  const choices = LEVELS.filter(({ id }) => id !== "medium");
  adapter.last.say(
    { type: "session.updated", settings: [{ id: "effort", name: "Effort", value: "high", choices }] },
    { type: "turn.ended", outcome: "completed" },
  );
  await has("notice");
  await engine.run("prompt", { session: "s", parts: text("again"), whenBusy: "queue" }, TESTER);
  await until(() => said(adapter.last).length === 4);
  expect(said(adapter.last)).toEqual(["prompt", "effort high", "prompt", "prompt"]);
  expect((await events()).findLast((event) => "overridden" in event)).toMatchObject({ overridden: {} });
});

it("what was before a prompt is forgotten when nothing has to be restored", async () => {
  const { engine, run, events, adapter } = await opened();
  await run(engine);
  const prompt = { parts: text("hi"), whenBusy: "queue" as const };
  await engine.run("prompt", { session: "s", ...prompt, settings: { effort: "high" } }, TESTER);
  await engine.run("prompt", { session: "s", ...prompt, settings: { effort: "medium" } }, TESTER);
  const started = () => said(adapter.last).filter((type) => type === "prompt").length;
  for (const count of [2, 3]) {
    await until(() => started() === count);
    adapter.last.say({ type: "turn.ended", outcome: "completed" });
  }
  await until(async () => (await engine.run("getSession", { session: "s" }, TESTER)).status === "idle");
  await engine.run("updateSession", { session: "s", settings: { effort: "low" } }, TESTER);
  await engine.run("updateSession", { session: "s", settings: { effort: null } }, TESTER);
  await run(engine);
  expect(await effortOf(engine)).toBe("low");
  expect((await events()).findLast((event) => "overridden" in event)).toMatchObject({ overridden: {} });
});

it("a setting that a client changes in a turn with other settings stays after it, also when it is released", async () => {
  const { engine, adapter, run } = await opened();
  await run(engine);
  await engine.run(
    "prompt",
    { session: "s", parts: text("hi"), whenBusy: "queue", settings: { effort: "high" } },
    TESTER,
  );
  await until(() => said(adapter.last).length === 3);
  await engine.run("updateSession", { session: "s", settings: { effort: "low" } }, TESTER);
  await engine.run("updateSession", { session: "s", settings: { effort: null } }, TESTER);
  adapter.last.say({ type: "turn.ended", outcome: "completed" });
  await until(async () => (await engine.run("getSession", { session: "s" }, TESTER)).status === "idle");
  await engine.run("prompt", { session: "s", parts: text("again"), whenBusy: "queue" }, TESTER);
  await until(() => said(adapter.last).filter((type) => type === "prompt").length === 3);
  expect(await effortOf(engine)).toBe("low");
});
