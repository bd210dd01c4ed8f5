/** A prompt that kills one node after the other while they prepare it: the third one holds it. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { eventually } from "../../src/testkit/eventually.ts";
import { BlockedGit } from "../crash/blocked-git.ts";
import { createSession, findListed, runTurn } from "./node-sessions.ts";
import { eventsAt, type TestNode } from "./start-node.ts";
import { TestCluster } from "./test-cluster.ts";

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await TestCluster.start();
});

afterAll(() => cluster[Symbol.asyncDispose]());

afterEach(() => cluster.clear());

/** A repository in the root of all nodes, whose git can be blocked at all of them. */
function createProject() {
  const git = new BlockedGit(join(cluster.temporary(), "bin"), "poison");
  const cwd = join(cluster.root, "poison");
  mkdirSync(cwd);
  execFileSync("git", ["init", "--quiet"], { cwd });
  const checkpointDirectory = cluster.temporary();
  const start = () => cluster.startNode({ checkpointDirectory, environment: git.environment });
  return { git, cwd, start };
}

async function untilTaken(git: BlockedGit, node: TestNode, prompt: string): Promise<void> {
  await eventually(`${prompt} is being prepared`, () => git.isReached);
  const rows = () => cluster.query<{ preparing: string | null }>("SELECT preparing FROM interlingua.session");
  await eventually("the store knows", async () => (await rows()).some(({ preparing }) => preparing !== null));
  expect(await findListed(node, "s")).toMatchObject({ queued: 1 });
}

it("a prompt whose preparation killed two nodes in a row is held by the third, and runs when it is released", async () => {
  const { git, cwd, start } = createProject();
  const a = await start();
  await createSession(a, "s", { cwd });
  await eventually("the first checkpoint", async () =>
    (await eventsAt(a, "s")).some(({ type }) => type === "checkpoint.created"),
  );
  writeFileSync(join(cwd, "file.txt"), "changed\n");
  git.block();
  await a.client.prompt("s", "scenario:text", "u1");
  await untilTaken(git, a, "u1");
  const b = await start();
  git.block();
  a.kill("SIGKILL");
  await untilTaken(git, b, "u1");
  const c = await start();
  b.kill("SIGKILL");
  await eventually("it is held", async () => {
    const events = await eventsAt(c, "s");
    return events.some(({ type }) => type === "prompt.held");
  });
  git.release();
  const { queue } = await c.client.call<{ queue: object[] }>("GET", "/v1/sessions/s/queue");
  expect(queue).toMatchObject([{ message: "u1", held: true }]);
  await runTurn(c, "s", "scenario:text");
  await c.client.call("POST", "/v1/sessions/s/queue/release");
  await eventually("it has run", async () => {
    const events = await eventsAt(c, "s");
    return events.filter(({ type }) => type === "turn.ended").length === 2;
  });
});
