import { afterEach, expect, test } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { EventOf, SessionEvent } from "../../core/event.ts";
import type { FoundProgram, InstallProgress, ProgramPreset, Programs } from "../../core/program.ts";
import { openStore } from "../../store/open-store.ts";
import { ScriptedAdapter } from "../../testkit/scripted-adapter.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { createEngine } from "../create-engine.ts";
import type { ConfiguredAgent } from "../engine-services.ts";
import type { EngineLimits } from "../limits.ts";

const PRESET: ProgramPreset = {
  agent: "scripted",
  executable: "scripted",
  package: "scripted",
  version: "1.2.3",
};
const PROGRAM: FoundProgram = { command: "/data/scripted", args: [], from: "installed" };
const PROMPT = { parts: [{ type: "text" as const, text: "hi" }], whenBusy: "queue" as const };

/** An agent that is missing until it was installed. */
class MissingAdapter extends ScriptedAdapter {
  readonly program = PRESET;
  override failure: Error | undefined = new InterlinguaError(
    "agent_not_installed",
    "scripted is not installed. Run: interlingua agents install scripted",
  );
}

/** Installations that go on until the test says otherwise. */
class HeldPrograms implements Pick<Programs, "install"> {
  readonly adapter: MissingAdapter;
  readonly calls: { signal?: AbortSignal; onProgress?(progress: InstallProgress): void }[] = [];
  #ending = Promise.withResolvers<void>();

  constructor(adapter: MissingAdapter) {
    this.adapter = adapter;
  }

  async install(_: ProgramPreset, options: (typeof this.calls)[number] = {}): Promise<FoundProgram> {
    this.calls.push(options);
    options.signal?.addEventListener("abort", () => this.fail(options.signal?.reason));
    await this.#ending.promise;
    return PROGRAM;
  }

  finish(): void {
    this.adapter.failure = undefined;
    this.#ending.resolve();
  }

  fail(error: Error): void {
    this.#ending.reject(error);
    this.#ending = Promise.withResolvers();
  }
}

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function open(
  options: { settings?: Record<string, ConfiguredAgent>; limits?: Partial<EngineLimits> } = {},
) {
  const store = await openStore(":memory:");
  const adapter = new MissingAdapter();
  const programs = new HeldPrograms(adapter);
  const engine = await createEngine({
    store,
    agents: new Map([["scripted", adapter]]),
    programs,
    agentSettings: options.settings,
    limits: options.limits,
  });
  closers.push(() => engine.close());
  const events = async (): Promise<SessionEvent[]> => {
    const page = await store.readEvents("s", 0, 100_000);
    return page.events.map(({ json }) => JSON.parse(json) as SessionEvent);
  };
  const of = async <Type extends SessionEvent["type"]>(type: Type) =>
    (await events()).filter((event): event is EventOf<Type> => event.type === type);
  const create = (install?: "auto" | "never") =>
    engine.run(
      "createSession",
      { id: "s", agent: "scripted", cwd: "/", ...(install && { install }) },
      TESTER,
    );
  return { engine, adapter, programs, events, of, create };
}

test("a session that wants it has its agent installed, and its log tells how it goes", async () => {
  const { engine, adapter, programs, events, of, create } = await open({ limits: { connectTimeoutMs: 50 } });
  const { session } = await create("auto");
  expect(session.install).toBe("auto");
  await engine.run("prompt", { session: "s", ...PROMPT }, TESTER);
  await until(() => programs.calls.length === 1);
  for (const bytes of [0, 10, 26, 30, 80, 100]) {
    programs.calls[0]?.onProgress?.({ phase: "downloading", bytes, total: 100 });
  }
  // Longer than an agent has to connect.
  const late = performance.now() + 60;
  await until(() => performance.now() > late);
  programs.finish();
  await until(() => adapter.last?.commands.length === 1);
  adapter.last.say({ type: "turn.ended", outcome: "completed" });
  await until(async () => (await of("turn.ended")).length === 1);
  const notices = await of("notice");
  expect(notices.map(({ code }) => code)).toEqual(notices.map(() => "install"));
  expect(notices.map(({ text }) => text)).toEqual([
    "Installing scripted 1.2.3.",
    "Installing scripted 1.2.3: 25 %.",
    "Installing scripted 1.2.3: 75 %.",
    "scripted 1.2.3 is installed.",
  ]);
  expect(checkLog(await events())).toEqual([]);
});

test.each([undefined, "never"] as const)("a session that says %s gets a turn that fails", async (install) => {
  const { engine, programs, of, create } = await open(
    install === "never" ? { settings: { scripted: { install: "auto" } } } : {},
  );
  await create(install);
  await engine.run("prompt", { session: "s", ...PROMPT }, TESTER);
  await until(async () => (await of("turn.ended")).length === 1);
  expect(programs.calls).toHaveLength(0);
  expect((await of("turn.ended"))[0]).toMatchObject({
    outcome: "failed",
    error: { code: "agent_not_installed", message: expect.stringContaining("interlingua agents install") },
  });
});

test("the config says so for sessions that do not", async () => {
  const { engine, adapter, programs, create } = await open({ settings: { scripted: { install: "auto" } } });
  await create();
  await engine.run("prompt", { session: "s", ...PROMPT }, TESTER);
  await until(() => programs.calls.length === 1);
  programs.finish();
  await until(() => adapter.last?.commands.length === 1);
});

test("a failed installation fails the turn, and the next prompt tries again", async () => {
  const { engine, adapter, programs, events, of, create } = await open();
  await create("auto");
  await engine.run("prompt", { session: "s", ...PROMPT }, TESTER);
  await until(() => programs.calls.length === 1);
  programs.fail(new InterlinguaError("install_failed", "Nothing was installed: the disk is full."));
  await until(async () => (await of("turn.ended")).length === 1);
  expect((await of("turn.ended"))[0]?.error).toEqual({
    code: "install_failed",
    message: "Nothing was installed: the disk is full.",
  });
  await engine.run("prompt", { session: "s", ...PROMPT }, TESTER);
  await until(() => programs.calls.length === 2);
  programs.finish();
  await until(() => adapter.last?.commands.length === 1);
  expect(checkLog(await events())).toEqual([]);
});

test("a session that is closed meanwhile gives its installation up", async () => {
  const { engine, programs, create } = await open();
  await create("auto");
  await engine.run("prompt", { session: "s", ...PROMPT }, TESTER);
  await until(() => programs.calls.length === 1);
  expect(await engine.run("updateSession", { session: "s", status: "closed" }, TESTER)).toMatchObject({
    status: "closed",
  });
  expect(programs.calls[0]?.signal?.aborted).toBe(true);
});

test("what the config adds to an agent's environment reaches it, and is masked in the log", async () => {
  const secret = "a-secret-of-the-config";
  const { engine, adapter, events, of, create } = await open({
    settings: { scripted: { environment: { KEY: secret, MODE: "plain-value" } } },
  });
  adapter.failure = undefined;
  await create();
  await engine.run("updateSession", { session: "s", env: { MODE: "of-the-session" } }, TESTER);
  await engine.run("prompt", { session: "s", ...PROMPT }, TESTER);
  await until(() => adapter.last?.commands.length === 1);
  expect(adapter.last.options.environment).toEqual({ KEY: secret, MODE: "of-the-session" });
  adapter.last.say(
    { type: "text.delta", part: "p", delta: `it is ${secret}` },
    { type: "turn.ended", outcome: "completed" },
  );
  await until(async () => (await of("turn.ended")).length === 1);
  expect(JSON.stringify(await events())).not.toContain(secret);
});
