/** Secrets in an agent's own memory: none that was ever masked, or that nobody knows any more, comes into the store. */
import { expect, it, vi } from "vitest";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, open, text } from "../engine.test-support.ts";
import { kept, notices, type Opened, prompt, secretTurn, turn, twoNodes } from "./memory.test-support.ts";

const ANSWER = "the pass phrase";

const REFUSED = expect.stringMatching(/^memory: .*not kept: there may be secrets in it/);

/** The agent ends, and is started again with the next prompt. */
async function endAgent({ adapter, has }: Opened): Promise<void> {
  adapter.last.die(0);
  await has("session.detached");
}

it("an answer is masked in the memory of a fork, whose agent has copied it", async () => {
  const { a } = await twoNodes({ fork: true });
  const first = await open({ ...a.node, adapter: a.adapter, isKilled: true });
  await create(first.engine);
  await secretTurn(first, ANSWER, 1);
  const fork = await first.engine.run("forkSession", { session: "s" }, TESTER);
  await first.engine.run("prompt", { session: fork.id, parts: text("on"), whenBusy: "queue" }, TESTER);
  await until(() => a.adapter.sessions.length === 2 && a.adapter.last.commands.length === 1);
  expect(a.adapter.disk.get(`native-${fork.id}`)).toContain(ANSWER);
  a.adapter.last.say({ type: "turn.ended", outcome: "completed" });
  await until(async () => (await kept(first, fork.id)).includes("[secret q1]"));
  expect(await kept(first, fork.id)).not.toContain(ANSWER);
});

it("an answer and a value that was replaced stay masked when the agent is started again", async () => {
  const { a } = await twoNodes();
  const first = await open({ ...a.node, adapter: a.adapter, isKilled: true });
  await create(first.engine, "s", { env: { KEY: "the-old-value" } });
  await turn(first, "use the-old-value", 1);
  await secretTurn(first, ANSWER, 2);
  await endAgent(first);
  await first.engine.run("updateSession", { session: "s", env: { KEY: "the-new-value" } }, TESTER);
  a.adapter.isWrittenAnew = true;
  await turn(first, "use the-new-value", 3);
  const stored = await kept(first);
  expect(stored).toContain('{"said":"use [secret KEY]"}\n{"said":"ask me"}\n{"answer":"[secret q1]"}\n');
  expect(stored).not.toMatch(/old-value|new-value|pass phrase/);
  expect(await notices(first)).toEqual([]);
});

it("an answer is masked also where the memory is read only after the agent has ended", async () => {
  const { a } = await twoNodes();
  const first = await open({ ...a.node, adapter: a.adapter, isKilled: true });
  await create(first.engine);
  const reading = Promise.withResolvers<void>();
  a.adapter.onCapture = () => reading.promise;
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout"],
    shouldAdvanceTime: true,
    advanceTimeDelta: 200,
  });
  try {
    const ended = secretTurn(first, ANSWER, 1);
    await vi.waitFor(() => expect(a.adapter.disk.get("native-s")).toContain(ANSWER));
    await vi.advanceTimersByTimeAsync(4000);
    await ended;
  } finally {
    vi.useRealTimers();
  }
  await endAgent(first);
  reading.resolve();
  await until(async () => (await kept(first)).includes("[secret q1]"));
  expect(await kept(first)).not.toContain(ANSWER);
});

it("what was written before a restart and is not stored is not captured, and that is said once", async () => {
  const { a, b } = await twoNodes();
  const first = await open({ ...a.node, adapter: a.adapter, isKilled: true });
  await create(first.engine);
  await turn(first, "one", 1);
  a.adapter.onCapture = () => Promise.reject(new Error("the disk is slow"));
  await secretTurn(first, ANSWER, 2);
  a.adapter.onCapture = undefined;
  a.node.die();
  const second = await open({ ...b.node, adapter: a.adapter });
  await turn(second, "three", 3);
  await turn(second, "four", 4);
  expect(await kept(second)).not.toContain(ANSWER);
  expect(await kept(second)).not.toContain("four");
  expect((await notices(second)).slice(1)).toEqual([REFUSED]);
  expect(a.adapter.disk.get("native-s")).toContain(ANSWER);
});

it("a file that is written anew after a restart is not captured", async () => {
  const { a, b } = await twoNodes();
  const first = await open({ ...a.node, adapter: a.adapter, isKilled: true });
  await create(first.engine);
  await secretTurn(first, ANSWER, 1);
  a.node.die();
  const second = await open({ ...b.node, adapter: a.adapter });
  await turn(second, "two", 2);
  expect(await kept(second)).toContain('{"said":"two"}');
  a.adapter.isWrittenAnew = true;
  await turn(second, "three", 3);
  expect(await kept(second)).not.toContain(ANSWER);
  expect(await notices(second)).toEqual([REFUSED]);
});

it("after a rewind and a restart nothing is captured that may have an answer", async () => {
  const { a, b } = await twoNodes();
  const first = await open({ ...a.node, adapter: a.adapter, isKilled: true });
  await create(first.engine);
  await secretTurn(first, ANSWER, 1);
  await turn(first, "two", 2);
  const { messages } = await first.store.listMessages("s", { limit: 10 });
  await first.engine.run(
    "rewind",
    { session: "s", before: messages.findLast(({ role }) => role === "user")!.id },
    TESTER,
  );
  a.node.die();
  const second = await open({ ...b.node, adapter: a.adapter });
  await turn(second, "three", 3);
  expect(await kept(second)).not.toContain(ANSWER);
  expect(await notices(second)).toEqual([REFUSED]);
});

it("a restart without any secret costs nothing", async () => {
  const { a, b } = await twoNodes();
  const first = await open({ ...a.node, adapter: a.adapter, isKilled: true });
  await create(first.engine);
  await turn(first, "one", 1);
  a.adapter.write({ more: "not stored" });
  a.node.die();
  const second = await open({ ...b.node, adapter: a.adapter });
  a.adapter.isWrittenAnew = true;
  await turn(second, "two", 2);
  expect(await kept(second)).toContain('{"said":"one"}\n{"more":"not stored"}\n{"said":"two"}\n');
  expect(await notices(second)).toEqual([]);
});

it("an answer that is too short to be masked ends the capturing", async () => {
  const { a } = await twoNodes();
  const first = await open({ ...a.node, adapter: a.adapter, isKilled: true });
  await create(first.engine);
  await turn(first, "one", 1);
  await secretTurn(first, "4711", 2);
  await turn(first, "three", 3);
  expect(await kept(first)).toContain('{"said":"one"}');
  expect(await kept(first)).not.toContain("4711");
  expect(await notices(first)).toEqual([expect.stringMatching(/^memory: .*too short to be masked/)]);
});

it("a file with an answer nobody knows any more is not replaced by what is stored", async () => {
  const { a, b } = await twoNodes();
  const first = await open({ ...a.node, adapter: a.adapter, isKilled: true });
  await create(first.engine);
  await secretTurn(first, ANSWER, 1);
  a.node.die();
  const second = await open({ ...b.node, adapter: a.adapter });
  await turn(second, "two", 2);
  expect(a.adapter.disk.get("native-s")).toBe(`{"said":"ask me"}\n{"answer":"${ANSWER}"}\n{"said":"two"}\n`);
  expect(await kept(second)).toContain('{"answer":"[secret q1]"}\n{"said":"two"}\n');
  expect(await notices(second)).toEqual([]);
});

it("a file that goes further than what the same node has captured is not replaced", async () => {
  const { a, claims } = await twoNodes();
  const first = await open({ ...a.node, adapter: a.adapter, limits: { unloadMs: 0 } });
  await create(first.engine);
  await turn(first, "one", 1);
  await endAgent(first);
  const rewritten = '{"summary":"one"}\n{"more":1}\n';
  a.adapter.disk.set("native-s", rewritten);
  await until(() => claims.ownerOf("s") === undefined);
  await turn(first, "two", 2);
  expect(a.adapter.disk.get("native-s")).toBe(`${rewritten}{"said":"two"}\n`);
  expect(await kept(first)).toContain(`${rewritten}{"said":"two"}\n`);
});

it("an answer that the agent remembers is masked in the log of its next start, too", async () => {
  const { a } = await twoNodes();
  const first = await open({ ...a.node, adapter: a.adapter, isKilled: true });
  await create(first.engine);
  await secretTurn(first, ANSWER, 1);
  await endAgent(first);
  await prompt(first, "what was it?");
  a.adapter.last.say({ type: "text.delta", part: "p", delta: `It was ${ANSWER}.` });
  a.adapter.last.say({ type: "turn.ended", outcome: "completed" });
  await first.has("turn.ended", 2);
  expect(JSON.stringify(await first.events())).toContain("It was [secret q1].");
});
