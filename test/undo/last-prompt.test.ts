/** What `last` means to `interlingua restore`: the last prompt that is still part of the conversation. */
import { expect, onTestFinished, test } from "vitest";
import { findCheckpoint } from "../../src/cli/find-checkpoint.ts";
import { DIALECTS } from "../../src/dialects/registry.ts";
import { create, type OpenOptions } from "../../src/engine/engine.test-support.ts";
import { openProject } from "../../src/engine/files/project.test-support.ts";
import { Interlingua } from "../../src/sdk/index.ts";
import { TOKEN } from "../../src/server/http-client-test-support.ts";
import { startServer } from "../../src/server/listen/http-server.ts";
import { testConfig } from "../../src/server/synthetic-server-test-support.ts";
import { TESTER } from "../../src/testkit/tester.ts";
import { until } from "../../src/testkit/until.ts";
import { openFileLister } from "../../src/workspace/list-files.ts";

/** A session after one turn, that of `u1`. */
async function openSession(options: OpenOptions = {}) {
  const project = await openProject(options);
  const { engine, store, cwd } = project;
  const server = await startServer({
    engine,
    store,
    dialects: DIALECTS,
    config: testConfig({ roots: [cwd] }),
    files: openFileLister(),
  });
  const client = await Interlingua.connect({ baseUrl: server.url, token: TOKEN });
  onTestFinished(async () => {
    await client.dispose();
    await server.close();
  });
  await create(engine, "s", { cwd });
  await project.turn(() => project.write("a.txt", "one"), "s", "u1");
  const session = client.sessions.handle("s");
  const checkpointOf = async (message: string) => (await session.message(message)).metadata.checkpoint;
  return { ...project, session, checkpointOf, last: () => findCheckpoint(session, "last") };
}

test("last does not take back the turn before when the last prompt has no checkpoint", async () => {
  const { workspace, turn, last, latest, checkpointOf } = await openSession();
  const after = await latest("after");
  workspace.onCapture = () => Promise.reject(new Error("no space left"));
  await turn(() => {}, "s", "u2");
  workspace.onCapture = undefined;
  await expect(last()).rejects.toThrow(
    `The last prompt, u2, has no checkpoint: none could be taken. The latest from before it is ${after.slice(0, 12)} (after).`,
  );
  await turn(() => {}, "s", "u3");
  expect(await last()).toBe(await checkpointOf("u3"));
});

test("after the last prompt was taken back, last is the one before it", async () => {
  const { session, turn, last, checkpointOf, write } = await openSession();
  const first = await checkpointOf("u1");
  await turn(() => write("a.txt", "two"), "s", "u2");
  await session.restore({ checkpoint: await last(), conversation: true });
  expect(await last()).toBe(first);
  await session.restore({ checkpoint: await last(), conversation: true });
  await expect(last()).rejects.toThrow("The session has no checkpoint from before a prompt yet.");
});

test("last does not go one prompt too far when the prompt overtook a turn of the agent's own", async () => {
  const { engine, adapter, begin, end, last, checkpointOf, write } = await openSession({
    limits: { agentTurnQuietMs: 1 },
  });
  adapter.last.say({ type: "turn.started", cause: "task", text: "It went on." });
  await until(async () => (await engine.run("getSession", { session: "s" }, TESTER)).status === "running");
  write("own.txt", "x");
  await begin("s", "u2");
  await end();
  const checkpoint = await checkpointOf("u2");
  expect(
    (await engine.run("listCheckpoints", { session: "s" }, TESTER)).checkpoints.find(
      ({ id }) => id === checkpoint,
    )?.kind,
  ).toBe("after");
  expect(await last()).toBe(checkpoint);
});

test("last is the beginning of the turn when the last prompt was steered into it", async () => {
  const { engine, adapter, begin, end, last, checkpointOf } = await openSession();
  await begin("s", "u2");
  await engine.run(
    "prompt",
    { session: "s", id: "u3", parts: [{ type: "text", text: "more" }], whenBusy: "steer" },
    TESTER,
  );
  await until(() => adapter.last.commands.some((command) => "steer" in command));
  await end();
  expect(await checkpointOf("u3")).toBeUndefined();
  expect(await last()).toBe(await checkpointOf("u2"));
});
