/** What begins when, where commands, the agent's own turns and late reads meet. */
import { expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import type { Command } from "../../core/command.ts";
import { openStore } from "../../store/open-store.ts";
import { instrumentStore } from "../../testkit/instrument-store.ts";
import { ScriptedAdapter } from "../../testkit/scripted-adapter.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, open, text } from "../engine.test-support.ts";

const QUIET_MS = 20;

async function working(adapter: ScriptedAdapter, store = openStore(":memory:")) {
  const opened = await open({ adapter, store: await store, limits: { agentTurnQuietMs: QUIET_MS } });
  const { engine } = opened;
  await create(engine);
  const send = (id: string, words = id, whenBusy: "queue" | "steer" = "queue") =>
    engine.run("prompt", { session: "s", id, parts: text(words), whenBusy }, TESTER);
  await send("first");
  await until(() => adapter.last?.commands.length === 1);
  return { ...opened, adapter, send };
}

function promptsOf({ last }: ScriptedAdapter): string[] {
  return last.commands.flatMap((command: Command) =>
    command.type === "prompt" ? [command.steer ? `${command.message} steered` : command.message] : [],
  );
}

/** The agent begins a turn of its own, and nothing waits for that. */
async function beginsOwnTurn({ adapter, has }: Awaited<ReturnType<typeof working>>) {
  adapter.last.say({ type: "turn.ended", outcome: "interrupted" });
  await has("turn.ended");
  adapter.last.say({ type: "text.delta", part: "late", delta: "x" });
  await has("turn.started", 2);
}

it.each([[["m"]], [["n", "m"]]])(
  "sends a held prompt now, once and alone, into a silent turn: %s",
  async (ids) => {
    const session = await working(new ScriptedAdapter({ steer: true }));
    const { engine, adapter, events, send } = session;
    for (const id of ids) await send(id);
    await engine.run("interrupt", { session: "s", hold: true }, TESTER);
    await beginsOwnTurn(session);
    const spokeAt = (await events()).findLast(({ type }) => type === "text.delta")!.at;
    await until(() => Date.now() > spokeAt + 2 * QUIET_MS);
    const sent = await engine.run("sendQueued", { session: "s", message: "m" }, TESTER);
    expect(sent.state).toBe("steered");
    expect(promptsOf(adapter).slice(0, 2)).toEqual(["first", "m steered"]);
    if (ids.includes("n")) await until(() => promptsOf(adapter).includes("n"));
    expect(promptsOf(adapter).filter((prompt) => prompt.startsWith("m"))).toEqual(["m steered"]);
    expect(checkLog(await events())).toEqual([]);
  },
);

/** A store that gives the content of one prompt late, or not at all. */
async function lateStore() {
  const stored = await openStore(":memory:");
  const late = { seq: -1, reads: [] as PromiseWithResolvers<void>[] };
  const store = instrumentStore(stored, {
    async readEvents(session, after, limit) {
      if (after === late.seq - 1 && limit === 1 && late.reads.length === 0) {
        const reading = Promise.withResolvers<void>();
        late.reads.push(reading);
        await reading.promise;
      }
      return stored.readEvents(session, after, limit);
    },
  });
  return { store, late };
}

/** `large` is next and is being read, and `small` waits behind it. */
async function readingLarge() {
  const { store, late } = await lateStore();
  const session = await working(new ScriptedAdapter({ steer: false }), Promise.resolve(store));
  const { engine, adapter, send } = session;
  await send("filler", "y".repeat(900_000));
  late.seq = (await send("large", "x".repeat(1_000_000))).seq;
  await send("small");
  await engine.run("withdrawQueued", { session: "s", message: "filler" }, TESTER);
  adapter.last.say({ type: "turn.ended", outcome: "completed" });
  await until(() => late.reads.length > 0);
  return { ...session, read: late.reads[0]! };
}

it("leaves the running turn alone when the content of another prompt cannot be read", async () => {
  const { engine, adapter, events, has, read } = await readingLarge();
  await engine.run("moveQueued", { session: "s", message: "small", before: "large" }, TESTER);
  await until(() => promptsOf(adapter).length === 2);
  read.reject(new Error("damaged"));
  adapter.last.say({ type: "text.delta", part: "p", delta: "still at work" });
  await has("text.delta");
  expect((await events()).filter(({ type }) => type === "turn.ended")).toHaveLength(1);
  adapter.last.say({ type: "turn.ended", outcome: "completed" });
  // It is read again.
  await until(() => promptsOf(adapter).length === 3);
  expect(promptsOf(adapter)).toEqual(["first", "small", "large"]);
  expect(checkLog(await events())).toEqual([]);
});

it("gives no prompt to the agent that an edit takes back", async () => {
  const { engine, adapter, read } = await readingLarge();
  const edit = engine.run("edit", { session: "s", id: "first", parts: text("first again") }, TESTER);
  await edit;
  read.resolve();
  await until(() => promptsOf(adapter).length >= 2);
  const given = adapter.sessions.flatMap(({ commands }) =>
    commands.flatMap((command: Command) => (command.type === "prompt" ? [command.message] : [])),
  );
  expect(given).toEqual(["first", "first"]);
});

it("begins a prompt that waits behind a turn of the agent's own, which began in the output that ended the last one", async () => {
  const { adapter, send } = await working(new ScriptedAdapter({ steer: true }));
  await send("second");
  adapter.last.say(
    { type: "turn.ended", outcome: "completed" },
    { type: "text.delta", part: "late", delta: "x" },
  );
  await until(() => promptsOf(adapter).includes("second"));
});

it("begins a steered prompt that came back from a turn of the agent's own", async () => {
  const session = await working(new ScriptedAdapter({ steer: true, reportsSteering: true }));
  const { adapter, send } = session;
  await beginsOwnTurn(session);
  await send("m", "m", "steer");
  await until(() => adapter.last.commands.length === 2);
  adapter.last.say({ type: "prompt.returned", message: "m", reason: "the agent is busy" });
  await until(() => promptsOf(adapter).includes("m"));
});
