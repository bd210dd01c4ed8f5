import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Line } from "../../process/line-splitter.ts";
import { router } from "./route.ts";

const RECORDINGS = join(import.meta.dirname, "../../../test/fixtures/recordings/codex");

const line = (message: object): Line => ({ kind: "line", text: JSON.stringify(message) });

/** Where each line goes, one after the other. */
function routeAll(messages: readonly object[], owners = router.initial): string[] {
  let state = owners;
  return messages.map((message) => {
    const [next, destination] = router.route(state, line(message));
    state = next;
    return destination.to === "channel" ? destination.channel : destination.to;
  });
}

const opened = (channel: string, thread: string) => ({
  id: `${channel}:1`,
  result: { thread: { id: thread } },
});
const delta = (thread: string) => ({
  method: "item/agentMessage/delta",
  params: { threadId: thread, turnId: "t", itemId: "i", delta: "x" },
});

describe("lines", () => {
  it("go to the session that asked, and then to the one that has the thread", () => {
    const lines = [opened("s1", "a"), opened("s2", "b"), delta("b"), delta("a"), { id: "s2:7", result: {} }];
    expect(routeAll(lines)).toEqual(["s1", "s2", "s2", "s1", "s2"]);
  });

  it("of a sub-agent go to its parent's session, whatever says so", () => {
    const spawned = (item: object) => ({
      method: "item/completed",
      params: { item, threadId: "a", turnId: "t" },
    });
    const lines = [
      opened("s1", "a"),
      delta("child"),
      spawned({ type: "collabAgentToolCall", id: "c", tool: "spawnAgent", receiverThreadIds: ["child"] }),
      delta("child"),
      spawned({ type: "subAgentActivity", id: "d", kind: "started", agentThreadId: "second" }),
      { method: "item/commandExecution/requestApproval", id: 0, params: { threadId: "second" } },
      { method: "thread/started", params: { thread: { id: "third", parentThreadId: "second" } } },
      delta("third"),
    ];
    expect(routeAll(lines)).toEqual(["s1", "unknown", "s1", "s1", "s1", "s1", "s1", "s1"]);
  });

  it("of an earlier moment are still told apart as they were then", () => {
    const [one] = router.route(router.initial, line(opened("s1", "a")));
    const [two] = router.route(one, line(opened("s2", "b")));
    const left = router.afterClose(two, "s1");
    expect(routeAll([delta("a"), delta("b")], left)).toEqual(["nobody", "s2"]);
    expect(routeAll([delta("a"), delta("b")], two)).toEqual(["s1", "s2"]);
    expect(routeAll([delta("a"), delta("b")], one)).toEqual(["s1", "unknown"]);
  });

  it("without a thread are everybody's; answers to nobody are nobody's", () => {
    expect(
      routeAll([
        { method: "configWarning", params: { summary: "x" } },
        { id: 12, result: {} },
      ]),
    ).toEqual(["everybody", "nobody"]);
  });

  it("of a session that has left are nobody's, until another takes the thread up", () => {
    const [known] = router.route(router.initial, line(opened("s1", "a")));
    const left = router.afterClose(known, "s1");
    expect(routeAll([delta("a"), opened("s3", "a"), delta("a")], left)).toEqual(["nobody", "s3", "s3"]);
  });

  it("are not mistaken for another thread's by what stands inside them", () => {
    const item = { type: "mcpToolCall", id: "i", arguments: { threadId: "b" } };
    const lines = [
      opened("s1", "a"),
      opened("s2", "b"),
      { method: "item/started", params: { item, threadId: "a", turnId: "t" } },
    ];
    expect(routeAll(lines)).toEqual(["s1", "s2", "s1"]);
  });
});

it("refuses requests nobody will answer, and nothing else", () => {
  expect(JSON.parse(router.refuse(line({ id: 3, method: "item/tool/call", params: {} }))!)).toMatchObject({
    id: 3,
    error: { message: expect.any(String) },
  });
  expect(router.refuse(line(delta("a")))).toBeUndefined();
});

/** In a recording ids are numbers; a session's would have its name. */
it("finds the thread of every line of every recording", () => {
  const files = globSync("*.jsonl", { cwd: RECORDINGS });
  expect(files).not.toEqual([]);
  let read = 0;
  for (const file of files) {
    const lines = readFileSync(join(RECORDINGS, file), "utf8").split("\n").filter(Boolean);
    const told = lines
      .map((text) => JSON.parse(text))
      .filter(({ dir, msg }) => dir === "agent" && msg?.method !== undefined && msg.params !== undefined)
      .map(({ msg }) => msg);
    const thread = (message: { params: { threadId?: string; thread?: { id: string } } }) =>
      message.params.threadId ?? message.params.thread?.id;
    read += told.length;
    for (const message of told) {
      const id = thread(message);
      const owners = id === undefined ? router.initial : router.initial.with(id, "mine");
      expect(routeAll([message], owners)).toEqual([id === undefined ? "everybody" : "mine"]);
    }
  }
  expect(read).toBeGreaterThan(files.length);
});
