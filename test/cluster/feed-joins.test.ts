/** A reader of the feed while nodes join, leave and die, and there are many sessions. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { SampleSession } from "../../src/store/contract/sample-session.ts";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { eventually } from "../../src/testkit/eventually.ts";
import { dataLines } from "../daemon-client.ts";
import { createSession } from "./node-sessions.ts";
import { endNode, type TestNode } from "./start-node.ts";
import { TestCluster } from "./test-cluster.ts";

const SESSIONS = 2000;
/** A change of a session has some 300 bytes. */
const MAX_BYTES = 20_000;

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await TestCluster.start();
});

afterAll(() => cluster[Symbol.asyncDispose]());

interface Frame {
  type: string;
  session?: string;
  node?: string;
}

async function readFeed({ client }: TestNode) {
  const feed = { frames: [] as Frame[], bytes: 0 };
  const response = await client.request("GET", "/v1/feed/sse");
  void (async () => {
    for await (const line of dataLines(response)) {
      feed.frames.push(JSON.parse(line));
      feed.bytes += line.length;
    }
  })().catch(() => {});
  await eventually("the snapshot", () => feed.frames.length > 0);
  return feed;
}

it("nodes that join, leave and die cost a reader what changed, and no other snapshot", async () => {
  const store = await openPostgres({ url: cluster.store, isShared: true });
  const samples = Array.from({ length: SESSIONS }, (_, n) => {
    const title = `Make the tests of module ${n} pass, and say what was wrong with them`;
    return new SampleSession(`01jcsample${n}`, {
      cwd: `${cluster.root}/project`,
      title,
      updatedAt: 1000 + n,
    });
  });
  await store.append(samples.map((sample) => sample.batch({ events: 1 })));
  await store.close();
  const a = await cluster.startNode({ name: "a" });
  const feed = await readFeed(a);
  const { bytes } = feed;

  const b = await cluster.startNode({ name: "b" });
  const isAt = (session: string, node?: string) =>
    feed.frames.findLast((frame) => frame.session === session)?.node === node;
  await createSession(b, "of-b");
  await eventually("the session of b", () => isAt("of-b", "b"));
  await endNode(b, "SIGKILL");
  await eventually("it is nobody's", () => isAt("of-b"));

  const c = await cluster.startNode({ name: "c" });
  await createSession(c, "of-c");
  await eventually("the session of c", () => isAt("of-c", "c"));
  await endNode(c, "SIGTERM");
  await eventually("it is nobody's", () => isAt("of-c"));
  expect(feed.frames.filter(({ type }) => type === "snapshot")).toHaveLength(1);
  expect(feed.bytes - bytes).toBeLessThan(MAX_BYTES);
});
