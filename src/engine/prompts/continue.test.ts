/** Turns that are continued by themselves after what ran them was gone. */
import { describe, expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { EventOf, SessionEvent } from "../../core/event.ts";
import type { CreateSession } from "../../protocol/commands/command-types.ts";
import { ScriptedAdapter } from "../../testkit/scripted-adapter.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, open, text } from "../engine.test-support.ts";

type Opened = Awaited<ReturnType<typeof open>>;

/** The agent is at work, and has said something. */
async function working(
  more: Partial<CreateSession> = { onLost: "continue" },
  options: Parameters<typeof open>[0] = { isKilled: true },
): Promise<Opened> {
  const opened = await open(options);
  await create(opened.engine, "s", more);
  await opened.engine.run(
    "prompt",
    { session: "s", id: "u1", parts: text("one"), whenBusy: "queue" },
    TESTER,
  );
  await say(opened);
  return opened;
}

async function say({ adapter, events }: Opened): Promise<void> {
  const before = (await events()).length;
  await until(() => adapter.last?.commands.length === 1);
  adapter.last.say({ type: "text.delta", delta: "Well" });
  await until(async () => (await events()).slice(before).some(({ type }) => type === "text.delta"));
}

const prompted = ({ adapter }: Opened) => until(() => adapter.last?.commands.length === 1);
const ofType = <Type extends SessionEvent["type"]>(log: readonly SessionEvent[], type: Type) =>
  log.filter((event): event is EventOf<Type> => event.type === type);
const continuations = (log: readonly SessionEvent[]) =>
  ofType(log, "prompt.accepted").filter(({ continuesTurn }) => continuesTurn !== undefined);

describe("a turn that a dead daemon left", () => {
  it("is continued by one prompt that says what happened, before those that wait", async () => {
    const first = await working();
    await first.engine.run(
      "prompt",
      { session: "s", id: "u2", parts: text("two"), whenBusy: "queue" },
      TESTER,
    );
    const second = await open({ store: first.store });
    await prompted(second);
    const log = await second.events();
    const [turn] = ofType(log, "turn.started");
    const [continuation, ...more] = continuations(log);
    expect(more).toEqual([]);
    expect(continuation).toMatchObject({ continuesTurn: turn?.turn, by: "daemon" });
    expect(second.adapter.last.options).toMatchObject({ resume: true });
    const { message } = continuation!;
    const [part] = continuation!.parts;
    expect(part).toMatchObject({
      text: expect.stringMatching(/was restarted, so your last turn was cut off/),
    });
    expect(second.adapter.last.commands).toMatchObject([{ type: "prompt", message }]);
    second.adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await until(() => second.adapter.last?.commands.length === 2);
    expect(second.adapter.last.commands[1]).toMatchObject({ message: "u2" });
    expect(checkLog(await second.events())).toEqual([]);
  });

  it("is continued once, however often daemons die before the agent gets it", async () => {
    const first = await working();
    const adapter = new ScriptedAdapter();
    adapter.connect = () => new Promise(() => {});
    const second = await open({ store: first.store, adapter, isKilled: true });
    await second.has("prompt.accepted", 2);
    const third = await open({ store: first.store });
    await prompted(third);
    const log = await third.events();
    expect(continuations(log)).toHaveLength(1);
    expect(checkLog(log)).toEqual([]);
  });

  it("is not continued unless the session wants it", async () => {
    const first = await working({});
    const second = await open({ store: first.store });
    expect(continuations(await second.events())).toEqual([]);
    expect((await second.engine.run("getSession", { session: "s" }, TESTER)).onLost).toBeUndefined();
  });

  it("is continued where the config says so for new sessions, and the session can be changed", async () => {
    const first = await working({}, { isKilled: true, onLost: "continue" });
    expect((await first.engine.run("getSession", { session: "s" }, TESTER)).onLost).toBe("continue");
    await first.engine.run("updateSession", { session: "s", onLost: "stop" }, TESTER);
    const second = await open({ store: first.store });
    expect(continuations(await second.events())).toEqual([]);
    await second.engine.run("updateSession", { session: "s", onLost: "continue" }, TESTER);
    await second.engine.run("prompt", { session: "s", parts: text("two"), whenBusy: "queue" }, TESTER);
    await say(second);
    await second.engine.close();
    expect(continuations(await second.events())).toHaveLength(1);
  });

  it("is held when the daemon dies of its continuation, too, until somebody sends it", async () => {
    const first = await working();
    const second = await open({ store: first.store, isKilled: true });
    await say(second);
    const third = await open({ store: first.store, isKilled: true });
    const log = await third.events();
    const [, held] = continuations(log);
    expect(ofType(log, "prompt.held")).toMatchObject([{ message: held?.message, held: true }]);
    expect(ofType(log, "notice").at(-1)).toMatchObject({ code: "prompt_held" });
    await third.engine.run(
      "prompt",
      { session: "s", id: "u2", parts: text("two"), whenBusy: "queue" },
      TESTER,
    );
    await prompted(third);
    expect(third.adapter.last?.commands).toMatchObject([{ message: "u2" }]);
    third.adapter.last?.say({ type: "turn.ended", outcome: "completed" });
    await third.has("turn.ended", 3);
    await third.engine.run("releaseQueue", { session: "s" }, TESTER);
    await until(() => third.adapter.last?.commands.length === 2);
    expect(third.adapter.last?.commands[1]).toMatchObject({ message: held?.message });
    expect(checkLog(await third.events())).toEqual([]);
  });

  it("is not continued when a person has stopped it, or holds what waits", async () => {
    for (const hold of [false, true]) {
      const first = await working();
      await first.engine.run(
        "prompt",
        { session: "s", id: "u2", parts: text("two"), whenBusy: "queue" },
        TESTER,
      );
      await first.engine.run("interrupt", { session: "s", hold }, TESTER);
      const second = await open({ store: first.store });
      const log = await second.events();
      expect(continuations(log)).toEqual([]);
      expect(ofType(log, "notice")).toEqual([]);
    }
  });

  it("is not continued when the agent may not have had its prompt, and the log says so", async () => {
    const first = await open({ isKilled: true });
    await create(first.engine, "s", { onLost: "continue" });
    await first.engine.run("prompt", { session: "s", parts: text("one"), whenBusy: "queue" }, TESTER);
    await prompted(first);
    const second = await open({ store: first.store });
    const log = await second.events();
    expect(continuations(log)).toEqual([]);
    expect(ofType(log, "notice")).toMatchObject([{ code: "not_continued" }]);
  });

  it("is not continued by an agent that has lost its conversation", async () => {
    const first = await working();
    const adapter = new ScriptedAdapter();
    const connect = adapter.connect.bind(adapter);
    adapter.connect = async (options) => {
      if (options.resume) throw new InterlinguaError("conversation_lost", "It is gone.");
      return connect(options);
    };
    const second = await open({ store: first.store, adapter });
    await second.has("prompt.withdrawn");
    const log = await second.events();
    expect(ofType(log, "prompt.withdrawn")).toMatchObject([{ message: continuations(log)[0]?.message }]);
    expect(ofType(log, "notice").at(-1)).toMatchObject({ code: "not_continued" });
    expect(adapter.last?.commands).toEqual([]);
    expect(checkLog(log)).toEqual([]);
  });

  it("is continued with the settings of its prompt, not with those of the session", async () => {
    const first = await open({ isKilled: true });
    await create(first.engine, "s", { onLost: "continue" });
    const settings = { mode: "plan" };
    await first.engine.run(
      "prompt",
      { session: "s", parts: text("one"), whenBusy: "queue", settings },
      TESTER,
    );
    await until(() => first.adapter.last?.commands.some(({ type }) => type === "prompt") === true);
    first.adapter.last?.say({ type: "text.delta", delta: "Well" });
    await first.has("text.delta");
    const second = await open({ store: first.store });
    await second.has("prompt.dispatched", 2);
    expect(continuations(await second.events())).toMatchObject([{ settings }]);
  });

  it("waits for values of variables that are to be given again", async () => {
    const first = await working({ onLost: "continue", env: { KEY: "a long secret" } });
    const second = await open({ store: first.store });
    expect(continuations(await second.events())).toHaveLength(1);
    expect(second.adapter.last).toBeUndefined();
    await second.engine.run("updateSession", { session: "s", env: { KEY: "a long secret" } }, TESTER);
    await prompted(second);
  });

  it("stays ended in a session that was closed meanwhile", async () => {
    const first = await working();
    const second = await open({ store: first.store });
    await prompted(second);
    await second.engine.run("updateSession", { session: "s", status: "closed" }, TESTER);
    await second.engine.close();
    const third = await open({ store: first.store });
    expect(third.adapter.last).toBeUndefined();
    expect(continuations(await third.events())).toHaveLength(1);
  });
});

it("a copy of the session names the turn as the copy has it", async () => {
  const first = await working();
  const second = await open({ store: first.store });
  await say(second);
  second.adapter.last?.say({ type: "turn.ended", outcome: "completed" });
  await second.has("turn.ended", 2);
  await second.engine.run("forkSession", { session: "s", id: "fork" }, TESTER);
  const log = await second.events("fork");
  const [turn] = ofType(log, "turn.started");
  expect(continuations(log)).toMatchObject([{ continuesTurn: turn?.turn }]);
  expect(checkLog(log)).toEqual([]);
  expect((await second.engine.run("getSession", { session: "fork" }, TESTER)).onLost).toBe("continue");
});

describe("a turn of a daemon that stops", () => {
  it("is continued elsewhere when its node is drained and the turn takes too long", async () => {
    const first = await working({ onLost: "continue" }, { limits: { drainMs: 0 } });
    await first.engine.drain();
    const log = await first.events();
    expect(ofType(log, "turn.ended")).toMatchObject([{ error: { code: "node_draining" } }]);
    const [continuation] = continuations(log);
    expect(continuation?.parts).toMatchObject([{ text: expect.stringMatching(/was shut down, so your/) }]);
    const second = await open({ store: first.store });
    await prompted(second);
    expect(second.adapter.last?.commands).toMatchObject([{ message: continuation?.message }]);
    expect(checkLog(await second.events())).toEqual([]);
  });

  it("is continued by the next one, and not held however often that happens", async () => {
    let opened = await working({ onLost: "continue" }, {});
    const { store } = opened;
    for (let restarts = 1; restarts <= 3; restarts += 1) {
      await opened.engine.close();
      expect(continuations(await opened.events())).toHaveLength(restarts);
      opened = await open({ store });
      await say(opened);
    }
    const log = await opened.events();
    expect(ofType(log, "prompt.held")).toEqual([]);
    expect(checkLog(log)).toEqual([]);
  });
});
