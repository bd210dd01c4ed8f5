/** How Claude Code is steered, changed and put to rest, where it differs from others. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call } from "../../src/server/http-client-test-support.ts";
import { text, toolCall } from "../../src/testkit/scripted-model/index.ts";
import { until } from "../../src/testkit/until.ts";
import { leftoverProcesses } from "../crash/leftover-processes.ts";
import { ofType } from "./agent-session.ts";
import { claudeWorld } from "./claude-world.ts";

it("asks no more when its checks are switched off in a sandbox", async () => {
  await using world = await claudeWorld({
    environment: { IS_SANDBOX: "1" },
    scripts: (project) => ({
      hello: [text("Hello.")],
      write: [[toolCall("Write", { file_path: join(project, "a.txt"), content: "A" })], [text("Written.")]],
    }),
  });
  const session = await world.session();
  await session.run("Hello [[hello]]");
  await session.call("PATCH", "", { permissionMode: "bypass" });
  expect((await session.run("Write [[write]]")).text).toBe("Written.");
  expect(ofType(session.events, "ask.opened")).toEqual([]);
  expect(readFileSync(join(world.project, "a.txt"), "utf8")).toBe("A");
});

it.runIf(process.getuid?.() === 0)("says why root cannot switch its checks off later", async () => {
  await using world = await claudeWorld({ scripts: () => ({ hello: [text("Hello.")] }) });
  const session = await world.session();
  await session.run("Hello [[hello]]");
  const refused = await session.call("PATCH", "", { permissionMode: "bypass" });
  expect(refused).toMatchObject({ status: 422, body: { code: "unsupported" } });
  expect(refused.body.detail).toMatch(/root.*IS_SANDBOX=1/);
  await session.event("notice", ({ code }) => code === "configure");
  expect((await session.view()).permissionMode).toBe("default");
});

it("takes the modes that all agents share, and no permission mode that contradicts them", async () => {
  await using world = await claudeWorld({ scripts: () => ({ hello: [text("Hello.")] }) });
  const contradiction = { mode: "plan", permissionMode: "bypass" };
  const refused = await call(world.url, "POST", "/v1/sessions", {
    body: { agent: "claude", ...contradiction },
  });
  expect(refused).toMatchObject({ status: 422, body: { code: "unsupported" } });

  const session = await world.session({ mode: "plan" });
  await session.run("Hello [[hello]]");
  expect(await session.view()).toMatchObject({ mode: "plan", permissionMode: "plan" });
  expect((await session.call("PATCH", "", contradiction)).status).toBe(422);
  await session.call("PATCH", "", { mode: "build" });
  await session.run("Again [[hello]]");
  expect(await session.view()).toMatchObject({ mode: "build", permissionMode: "default" });
  const told = await session.call("GET", "/raw?limit=1000");
  expect(told.text).toContain("--permission-mode=plan");
  expect(told.text).toMatch(/set_permission_mode[^}]*default/);
});

it("makes as much effort as one prompt asks for, and then as before", async () => {
  await using world = await claudeWorld({ scripts: () => ({ hello: [text("Hello.")] }) });
  const session = await world.session();
  const run = async (settings?: object) => {
    const { message } = await session.prompt("Hello [[hello]]", { settings });
    expect((await session.turnOf(message)).ended.outcome).toBe("completed");
    return (world.model.requests.at(-1)!.body.output_config as { effort?: string } | undefined)?.effort;
  };
  const usual = await run();
  const [shown] = (await session.view()).settings as {
    id: string;
    value: string;
    choices: { id: string }[];
  }[];
  expect(shown).toMatchObject({ id: "effort", value: usual });
  expect(await run({ effort: "low" })).toBe("low");
  expect(await run()).toBe(usual);
  const changed = await session.call("PATCH", "", { settings: { effort: "high" } });
  expect(changed.body.settings).toMatchObject([{ id: "effort", value: "high" }]);
  expect(await run()).toBe("high");
  // Claude Code itself would take any name, and go on as before.
  const refused = await session.call("PATCH", "", { settings: { effort: "enormous" } });
  expect(refused).toMatchObject({ status: 422, body: { code: "option_not_offered" } });
  expect(refused.body.detail).toContain(shown!.choices.map(({ id }) => id).join(", "));
});

it("takes a steering prompt into the running turn", async () => {
  await using world = await claudeWorld({
    scripts: () => ({
      work: [
        [toolCall("Bash", { command: "until [ -e go ]; do sleep 0.05; done", description: "Wait" })],
        [text("Worked.")],
      ],
    }),
  });
  const session = await world.session({ options: { allowedTools: ["Bash"] } });
  const first = await session.prompt("Work [[work]]");
  await session.event("tool.input");
  const steering = await session.prompt("Rather this", { whenBusy: "steer" });
  expect(steering.state).toBe("steered");
  // It says that it has the prompt, and takes it up when the tool is done.
  await until(async () => (await session.call("GET", "/raw?limit=1000")).text.includes("queued"));
  world.write("go", "");
  const turn = await session.turnOf(first.message);
  expect(turn.ended.outcome).toBe("completed");
  expect(JSON.stringify(world.model.requests.at(-1)?.body.messages)).toContain("Rather this");
});

it("rests when it has nothing to do, spares a server it was asked to start, and remembers", async () => {
  await using world = await claudeWorld({
    limits: { idleDetachMs: 500 },
    scripts: () => ({
      serve: [
        [toolCall("Bash", { command: "nohup sleep 1000 > /dev/null 2>&1 & echo up", description: "Serve" })],
        [text("It is up.")],
      ],
      recall: [text("I remember.")],
    }),
  });
  const session = await world.session({
    model: "claude-haiku-4-5",
    permissionMode: "acceptEdits",
    options: { allowedTools: ["Bash"] },
  });
  await session.run("Serve [[serve]]");
  expect((await session.event("session.detached")).reason).toBe("idle");
  expect(await leftoverProcesses(world.data)).toHaveLength(1);
  const turn = await session.run("Recall [[recall]]");
  expect(turn.text).toBe("I remember.");
  const messages = JSON.stringify(world.model.requests.at(-1)?.body.messages);
  expect(messages).toContain("Serve [[serve]]");
  expect(messages).toContain("It is up.");
  expect(world.model.requests.at(-1)?.model).toBe("claude-haiku-4-5");
  expect(ofType(session.events, "session.attached").at(-1)).toMatchObject({
    resumed: true,
    permissionMode: "acceptEdits",
  });
});
