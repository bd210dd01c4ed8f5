/** The agent's own memory through the engine: kept with the log of a node, and brought to where another one resumes. */
import { describe, expect, it, vi } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import type { SessionAppend } from "../../core/store.ts";
import { storeBusy } from "../../store/read-problems.ts";
import { instrumentStore } from "../../testkit/instrument-store.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, open, text } from "../engine.test-support.ts";
import { kept, notices, PART, prompt, RememberingAdapter, turn, twoNodes } from "./memory.test-support.ts";

it("is committed with the end of the turn, and brought to the node that resumes", async () => {
  const { a, b } = await twoNodes();
  const appends: SessionAppend[] = [];
  const store = instrumentStore(a.node.store, {
    append: (batch) => {
      appends.push(...batch);
      return a.node.store.append(batch);
    },
  });
  const first = await open({ ...a.node, store, adapter: a.adapter, isKilled: true });
  await create(first.engine);
  await turn(first, "one", 1);
  await turn(first, "two", 2);
  const ends = appends.filter(({ events }) => events.some(({ json }) => json.includes('"turn.ended"')));
  const kept = ends.map(({ memory = [] }) => memory.map(({ part, seq }) => `${part} ${seq}`));
  expect(kept).toEqual([
    [`agent/${PART} 0`, "agent 0"],
    [`agent/${PART} 1`, "agent 1"],
  ]);

  a.node.die();
  const second = await open({ ...b.node, adapter: b.adapter });
  await turn(second, "three", 3);
  expect(b.adapter.last.options).toMatchObject({ resume: true, agentSessionId: "native-s" });
  expect(b.adapter.disk.get("native-s")).toBe('{"said":"one"}\n{"said":"two"}\n{"said":"three"}\n');
  expect(await notices(second)).toEqual([]);
});

it("has no secrets in the store, and the agent has them where it resumes", async () => {
  const secret = 'sk-"very"-secret-value';
  const { a, b, store } = await twoNodes();
  const first = await open({ ...a.node, adapter: a.adapter, isKilled: true });
  await create(first.engine, "s", { env: { KEY: secret } });
  await turn(first, `the key is ${secret}`, 1);
  const stored: string[] = [];
  for await (const { data } of store.readMemory("s")) stored.push(Buffer.from(data).toString());
  expect(stored.join("")).not.toContain("very");
  expect(stored.join("")).toContain("[secret KEY]");

  a.node.die();
  const second = await open({ ...b.node, adapter: b.adapter });
  await second.engine.run("updateSession", { session: "s", env: { KEY: secret } }, TESTER);
  await turn(second, "on", 2);
  expect(b.adapter.disk.get("native-s")).toBe(`${a.adapter.disk.get("native-s")}{"said":"on"}\n`);
});

it("that is behind the log is said once at the resume", async () => {
  const { a, b } = await twoNodes();
  const first = await open({ ...a.node, adapter: a.adapter, isKilled: true });
  await create(first.engine);
  await turn(first, "one", 1);
  await prompt(first, "two");
  a.node.die();
  const second = await open({ ...b.node, adapter: b.adapter });
  await b.node.listener().orphaned(["s"]);
  await turn(second, "three", 2);
  await turn(second, "four", 3);
  expect(b.adapter.disk.get("native-s")).toBe('{"said":"one"}\n{"said":"three"}\n{"said":"four"}\n');
  expect(await notices(second)).toEqual([
    expect.stringMatching(/^memory: .*does not have all of the last turn/),
  ]);
});

describe("that cannot be read from the store where the session goes on", () => {
  async function withBusyStore() {
    const { a, b } = await twoNodes();
    const first = await open({ ...a.node, adapter: a.adapter, isKilled: true });
    await create(first.engine);
    await turn(first, "one", 1);
    a.node.die();
    const cut = { is: true, reads: 0 };
    const store = instrumentStore(b.node.store, {
      readMemory: (session, part) => {
        cut.reads += 1;
        if (cut.is) throw storeBusy(new Error("the connection was lost"));
        return b.node.store.readMemory(session, part);
      },
    });
    const second = await open({ ...b.node, store, adapter: b.adapter });
    return { cut, second, disk: b.adapter.disk };
  }

  it("keeps a prompt waiting, and the prompt runs once it can be read", async () => {
    const { cut, second, disk } = await withBusyStore();
    await second.engine.run("prompt", { session: "s", parts: text("two"), whenBusy: "queue" }, TESTER);
    await until(() => cut.reads >= 2);
    expect(await second.engine.run("getSession", { session: "s" }, TESTER)).toMatchObject({ queued: 1 });
    cut.is = false;
    await until(() => second.adapter.last?.commands.length === 1);
    second.adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await second.has("turn.ended", 2);
    const log = await second.events();
    expect(checkLog(log)).toEqual([]);
    const outcomes = log.flatMap((event) => (event.type === "turn.ended" ? [event.outcome] : []));
    expect(outcomes).toEqual(["completed", "completed"]);
    expect(disk.get("native-s")).toBe('{"said":"one"}\n{"said":"two"}\n');
  });

  it("lets a prompt that waits for it be stopped, and a start without a prompt be refused", async () => {
    const { cut, second } = await withBusyStore();
    await expect(second.engine.run("attachSession", { session: "s" }, TESTER)).rejects.toMatchObject({
      code: "store_busy",
    });
    await second.engine.run("prompt", { session: "s", parts: text("two"), whenBusy: "queue" }, TESTER);
    const reads = cut.reads;
    await until(() => cut.reads > reads);
    expect((await second.engine.run("interrupt", { session: "s" }, TESTER)).interrupted).toBe(true);
    const log = await second.events();
    expect(checkLog(log)).toEqual([]);
    expect(log.findLast(({ type }) => type === "turn.ended")).toMatchObject({ outcome: "interrupted" });
    expect(second.adapter.sessions).toEqual([]);
  });
});

it("that cannot be read does not keep a turn from ending, and that is said", async () => {
  const { a, b } = await twoNodes();
  const first = await open({ ...a.node, adapter: a.adapter, isKilled: true });
  await create(first.engine);
  await turn(first, "one", 1);
  a.adapter.onCapture = () => Promise.reject(new Error("the disk is gone."));
  await turn(first, "two", 2);
  await turn(first, "three", 3);
  expect(await notices(first)).toEqual([
    expect.stringMatching(/^memory: .*not kept: the disk is gone\. Another/),
  ]);
  a.adapter.onCapture = undefined;
  await turn(first, "four", 4);
  a.node.die();
  const second = await open({ ...b.node, adapter: b.adapter });
  await turn(second, "five", 5);
  expect(b.adapter.disk.get("native-s")).toContain('{"said":"three"}\n{"said":"four"}\n{"said":"five"}\n');
  expect(await notices(second)).toHaveLength(1);
});

it("that is not read in time does not keep a turn from ending", async () => {
  const { a } = await twoNodes();
  const first = await open({ ...a.node, adapter: a.adapter, isKilled: true });
  await create(first.engine);
  await prompt(first, "one");
  const reading = Promise.withResolvers<void>();
  a.adapter.onCapture = () => reading.promise;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    a.adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
    await vi.advanceTimersByTimeAsync(3000);
  } finally {
    vi.useRealTimers();
  }
  await first.has("turn.ended");
  expect(await notices(first)).toEqual([expect.stringContaining("not read within 3 seconds")]);
  reading.resolve();
});

it("of a newer agent is not given to an older one", async () => {
  const { a, b } = await twoNodes();
  a.adapter.version = "1.10.0";
  b.adapter.version = "1.9.0";
  const first = await open({ ...a.node, adapter: a.adapter, isKilled: true });
  await create(first.engine);
  await turn(first, "one", 1);
  a.node.die();
  const second = await open({ ...b.node, adapter: b.adapter });
  await second.engine.run("prompt", { session: "s", parts: text("two"), whenBusy: "queue" }, TESTER);
  await second.has("turn.ended", 2);
  const ended = (await second.events()).findLast((event) => event.type === "turn.ended");
  expect(ended).toMatchObject({ outcome: "failed", error: { code: "agent_version" } });
  expect(ended).toMatchObject({ error: { message: expect.stringContaining("Install 1.10.0 or newer") } });
  expect(b.adapter.disk.size).toBe(0);
  b.adapter.version = "1.11.0";
  await turn(second, "three", 3);
  expect(b.adapter.disk.get("native-s")).toContain('"one"');
});

it("of what was taken back since is not brought", async () => {
  const { a, b } = await twoNodes();
  const first = await open({ ...a.node, adapter: a.adapter, isKilled: true });
  await create(first.engine);
  await turn(first, "one", 1);
  await turn(first, "two", 2);
  const { messages } = await first.store.listMessages("s", { limit: 10 });
  const last = messages.findLast(({ role }) => role === "user");
  await first.engine.run("rewind", { session: "s", before: last!.id }, TESTER);
  a.node.die();
  const second = await open({ ...b.node, adapter: b.adapter });
  await turn(second, "three", 3);
  expect(b.adapter.disk.get("native-s")).toBe('{"said":"three"}\n');
});

it("is kept while a turn runs, and told from one that is whole", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
  try {
    const { a, b, store } = await twoNodes();
    const first = await open({ ...a.node, adapter: a.adapter, isKilled: true });
    await create(first.engine);
    await prompt(first, "one");
    const kept = async () => {
      const pieces: string[] = [];
      for await (const { data } of store.readMemory("s")) pieces.push(Buffer.from(data).toString());
      return pieces.join("");
    };
    await until(async () => (await first.events()).some(({ type }) => type === "prompt.dispatched"));
    vi.advanceTimersByTime(4000);
    expect(await kept()).toBe("");
    vi.advanceTimersByTime(2000);
    await until(async () => (await kept()).includes('{"said":"one"}'));
    a.node.die();
    const second = await open({ ...b.node, adapter: b.adapter });
    await b.node.listener().orphaned(["s"]);
    await turn(second, "two", 2);
    expect(b.adapter.disk.get("native-s")).toBe('{"said":"one"}\n{"said":"two"}\n');
    expect(await notices(second)).toEqual([expect.stringMatching(/^memory: /)]);
  } finally {
    vi.useRealTimers();
  }
});

it("has what the agent writes in the second after a turn", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const { a, store } = await twoNodes();
    const first = await open({ ...a.node, adapter: a.adapter, isKilled: true });
    await create(first.engine);
    await turn(first, "one", 1);
    a.adapter.write({ title: "late" });
    vi.advanceTimersByTime(1000);
    await until(async () => {
      for await (const { data } of store.readMemory("s"))
        if (Buffer.from(data).toString().includes('{"title":"late"}')) return true;
      return false;
    });
  } finally {
    vi.useRealTimers();
  }
});

it("is brought for a fork, too, which is a copy of it", async () => {
  const { a, b } = await twoNodes({ fork: true });
  const first = await open({ ...a.node, adapter: a.adapter, isKilled: true });
  await create(first.engine);
  await prompt(first, "one");
  a.adapter.last.say({ type: "turn.ended", outcome: "completed", native: "end-1" });
  await first.has("turn.ended");
  a.node.die();
  const second = await open({ ...b.node, adapter: b.adapter });
  const fork = await second.engine.run("forkSession", { session: "s" }, TESTER);
  await second.engine.run("prompt", { session: fork.id, parts: text("two"), whenBusy: "queue" }, TESTER);
  await until(() => b.adapter.sessions.length === 1);
  expect(b.adapter.last.options.fork).toMatchObject({ agentSessionId: "native-s", after: "end-1" });
  expect(b.adapter.disk.get("native-s")).toContain('{"said":"one"}');
});

it("in many pieces becomes one again", async () => {
  const { a, b, store } = await twoNodes();
  const first = await open({ ...a.node, adapter: a.adapter, isKilled: true });
  await create(first.engine);
  const count = async () => {
    let pieces = 0;
    for await (const { part } of store.readMemory("s")) if (part === `agent/${PART}`) pieces += 1;
    return pieces;
  };
  for (let n = 1; n <= 258; n += 1) {
    if (n === 258) expect(await count()).toBe(257);
    await prompt(first, `${n}`);
    first.adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await until(
      async () => (await first.engine.run("getSession", { session: "s" }, TESTER)).status === "idle",
    );
  }
  await first.has("turn.ended", 258);
  expect(await count()).toBe(1);
  a.node.die();
  const second = await open({ ...b.node, adapter: b.adapter });
  await turn(second, "last", 259);
  expect(b.adapter.disk.get("native-s")).toBe(`${a.adapter.disk.get("native-s")}{"said":"last"}\n`);
});

it("of a session that one daemon owns alone is not kept", async () => {
  const adapter = new RememberingAdapter();
  const only = await open({ adapter });
  await create(only.engine);
  await turn(only, "one", 1);
  for await (const piece of only.store.readMemory("s")) expect(piece).toBeUndefined();
});

it("of a conversation that comes back takes no number twice, since two captures may come into one commit", async () => {
  const { a } = await twoNodes();
  const appends: SessionAppend[] = [];
  const store = instrumentStore(a.node.store, {
    append: (batch) => {
      appends.push(...batch);
      return a.node.store.append(batch);
    },
  });
  a.adapter.partOf = (conversation) => `${conversation}.jsonl`;
  const first = await open({ ...a.node, store, adapter: a.adapter, isKilled: true });
  await create(first.engine);
  await turn(first, "one", 1);
  for (const [number, id] of ["native-2", "native-s", "native-2", "native-s"].entries()) {
    await prompt(first, `${number}`);
    a.adapter.disk.set(id, `{"n":${number}}\n`);
    first.adapter.last.say({ type: "session.updated", agentSessionId: id });
    first.adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await first.has("turn.ended", number + 2);
  }
  const numbers = appends.flatMap(({ memory = [] }) => memory.map(({ part, seq }) => `${part} ${seq}`));
  expect(numbers.length).toBeGreaterThan(8);
  expect(new Set(numbers).size).toBe(numbers.length);
});

it("that is too large is not read again and again", async () => {
  const { a } = await twoNodes();
  const first = await open({ ...a.node, adapter: a.adapter, isKilled: true });
  await create(first.engine);
  await turn(first, "one", 1);
  let reads = 0;
  a.adapter.memory.capture = async () => {
    reads += 1;
    return [{ part: PART, data: Buffer.alloc(65 * 1024 * 1024, "\n"), mark: 0 }];
  };
  await turn(first, "two", 2);
  await turn(first, "three", 3);
  expect(reads).toBe(1);
  expect(await notices(first)).toEqual([expect.stringMatching(/^memory: .*65 MB, which is more than/)]);
});

it("that is no text is not stored as another", async () => {
  const { a } = await twoNodes();
  const first = await open({ ...a.node, adapter: a.adapter, isKilled: true });
  await create(first.engine, "s", { env: { KEY: "some-secret-value" } });
  a.adapter.memory.capture = async () => [
    { part: PART, data: Buffer.from([0x7b, 0xff, 0x7d, 10]), mark: 4, replaces: true },
  ];
  await turn(first, "one", 1);
  expect(await kept(first)).toBe("");
  expect(await notices(first)).toEqual([expect.stringMatching(/^memory: .*not UTF-8/)]);
});
