/**
 * Random interleavings of commands, agent outputs, deaths of agents and of the daemon, and readers that come and go,
 * through the real actor and the SQLite store. A failing seed is printed by fast-check.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkLog } from "../src/core/check-log.ts";
import type { Draft } from "../src/core/draft.ts";
import { InterlinguaError } from "../src/core/error.ts";
import type { SessionEvent } from "../src/core/event.ts";
import { foldMessages } from "../src/core/fold-messages.ts";
import { principal } from "../src/core/principal.ts";
import type { Store } from "../src/core/store.ts";
import { openStore } from "../src/store/open-store.ts";
import { sloppyDraft } from "../src/testkit/sloppy-drafts.ts";
import { TESTER } from "../src/testkit/tester.ts";
import { until } from "../src/testkit/until.ts";
import { Daemon, isCommitted, MODES, type Mode, Reader, WantedMode } from "./engine-interleavings-support.ts";

let directory: string;
let store: Store;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "interlingua-"));
  store = await openStore({ directory });
});

afterAll(async () => {
  await store.close();
  await rm(directory, { recursive: true });
});

/** What happens without a choice of its own, and how often. */
const PLAIN_ACTS = {
  interrupt: 4,
  die: 4,
  withdraw: 4,
  move: 4,
  sendNow: 3,
  stopTask: 3,
  change: 4,
  rewind: 4,
  model: 4,
  reader: 4,
  leave: 4,
  wait: 8,
  fail: 3,
  doom: 2,
  refuse: 3,
  hang: 2,
  restart: 3,
  // A real wait: more of them would make the suite long.
  pause: 1,
};

type PlainAct = keyof typeof PLAIN_ACTS;

type Act =
  | { do: "say"; drafts: Draft[] }
  | { do: "prompt"; whenBusy: "queue" | "steer" | "reject"; id: number }
  | { do: "reply"; reply: "once" | "reject"; ask: number }
  | { do: "settings"; modes: Mode[]; isAwaited: boolean }
  | { do: PlainAct };

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 60,
    arbitrary: fc
      .array(sloppyDraft, { minLength: 1, maxLength: 4 })
      .map((drafts) => ({ do: "say" as const, drafts })),
  },
  {
    weight: 25,
    arbitrary: fc.record({
      do: fc.constant("prompt" as const),
      whenBusy: fc.constantFrom("queue" as const, "steer" as const, "reject" as const),
      // Small, so that ids repeat.
      id: fc.nat(6),
    }),
  },
  {
    weight: 20,
    arbitrary: fc.record({
      do: fc.constant("reply" as const),
      reply: fc.constantFrom("once" as const, "reject" as const),
      ask: fc.nat(3),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant("settings" as const),
      modes: fc.array(fc.constantFrom(...MODES), { minLength: 1, maxLength: 3 }),
      isAwaited: fc.boolean(),
    }),
  },
  ...(Object.entries(PLAIN_ACTS) as [PlainAct, number][]).map(([what, weight]) => ({
    weight,
    arbitrary: fc.constant<Act>({ do: what }),
  })),
);

let runs = 0;
/** How often each act was played. */
const played = new Map<Act["do"], number>();
/** Whose answers to asks there were. */
const answeredBy = new Set<string>();

async function play(acts: readonly Act[]): Promise<void> {
  const session = `run${++runs}`;
  const committed: SessionEvent[] = [];
  let daemon = await Daemon.start(store, session, committed);
  const settings = new WantedMode();
  let readers: Reader[] = [];
  const prompts = new Map<string, number>();
  let wasFull = false;
  const attempt = async (work: Promise<unknown>) => {
    try {
      await work;
    } catch (error) {
      const isRefusal = InterlinguaError.isInstance(error) && (error.status < 500 || error.status > 503);
      if (!isRefusal) throw error;
      if (error.code === "store_unavailable") wasFull = true;
    }
  };
  // Sessions of runs that failed may be taken up too.
  const agent = () => daemon.adapter.sessions.findLast(({ sessionId }) => sessionId === session);
  const note = ({ adapter }: Daemon) => {
    const { onConnect } = adapter;
    adapter.onConnect = (connected) => {
      onConnect?.(connected);
      if (connected.sessionId !== session) return;
      connected.onCommand = (command) => {
        if (command.type === "prompt") prompts.set(command.message, (prompts.get(command.message) ?? 0) + 1);
        expect(isCommitted(command, committed), `${command.type} is told before it is committed`).toBe(true);
      };
    };
  };
  note(daemon);
  await daemon.engine.run("createSession", { id: session, agent: "scripted", cwd: "/" }, TESTER);
  for (const step of acts) {
    const { engine } = daemon;
    played.set(step.do, (played.get(step.do) ?? 0) + 1);
    switch (step.do) {
      case "say":
        agent()?.say(...step.drafts);
        break;
      case "prompt":
        await attempt(
          engine.run(
            "prompt",
            {
              session,
              id: `u${step.id}`,
              parts: [{ type: "text", text: `${step.id}` }],
              whenBusy: step.whenBusy,
            },
            TESTER,
          ),
        );
        break;
      case "reply": {
        const asks = (await engine.run("listAsks", { session }, TESTER)).asks;
        const ask = asks[step.ask % Math.max(1, asks.length)];
        if (ask)
          await attempt(
            engine.run(
              "replyToAsk",
              { session, ask: ask.ask, reply: step.reply },
              principal("owner", "test"),
            ),
          );
        break;
      }
      case "interrupt":
        await attempt(
          engine
            .run("interrupt", { session }, principal("owner", "test"))
            .then(({ interrupted }) => interrupted),
        );
        break;
      case "die":
        agent()?.die(1);
        break;
      case "move": {
        const waiting = await engine.run("listQueue", { session }, TESTER);
        const [first, last] = [waiting[0]?.message, waiting.at(-1)?.message];
        if (first && last && first !== last)
          await attempt(engine.run("moveQueued", { session, message: last, before: first }, TESTER));
        break;
      }
      case "sendNow": {
        const last = (await engine.run("listQueue", { session }, TESTER)).at(-1);
        if (last) await attempt(engine.run("sendQueued", { session, message: last.message }, TESTER));
        break;
      }
      case "stopTask": {
        const [task] = (await engine.run("listTasks", { session }, TESTER)).tasks;
        if (task) await attempt(engine.run("stopTask", { session, task: task.task }, TESTER));
        break;
      }
      case "withdraw":
      case "change": {
        const [waiting] = await engine.run("listQueue", { session }, TESTER);
        if (!waiting) break;
        if (step.do === "change")
          await attempt(engine.run("changeQueued", { session, message: waiting.message, parts: [] }, TESTER));
        else await attempt(engine.run("withdrawQueued", { session, message: waiting.message }, TESTER));
        break;
      }
      case "rewind": {
        const { messages } = await store.listMessages(session, { limit: 50 });
        const user = messages.findLast(({ role }) => role === "user");
        if (user) await attempt(engine.run("rewind", { session, before: user.id }, TESTER));
        break;
      }
      case "model":
        await attempt(engine.run("updateSession", { session, model: "other" }, TESTER));
        break;
      case "reader": {
        const reader = new Reader(engine, session, readers.at(-1)?.seen.at(-1) ?? 0);
        await reader.catchUp(store, session);
        readers.push(reader);
        break;
      }
      case "leave":
        readers.at(-1)?.stop();
        break;
      case "restart":
        daemon.kill();
        settings.forgetAnswers();
        daemon = await Daemon.start(store, session, committed);
        note(daemon);
        break;
      case "pause":
        // Long enough for an idle agent to be let go.
        await sleep(4);
        break;
      case "fail":
        daemon.failures = 1;
        break;
      case "doom":
        daemon.adapter.isDoomed = true;
        break;
      case "refuse":
      case "hang":
        daemon.moods.push(step.do);
        break;
      case "settings": {
        const changes = step.modes.map((mode) => settings.change(engine, session, mode));
        const attempted = changes.map((change) => attempt(change));
        if (step.isAwaited) await Promise.all(attempted);
        break;
      }
      case "wait":
        await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const isFull = wasFull || daemon.failures > 0;
  await settings.settled();
  // The agent works in what the log says. What a full disk held up goes on by itself.
  await until(async () => {
    const { attached, mode } = await daemon.engine.run("getSession", { session }, TESTER);
    const running = agent();
    return !attached || !running || !daemon.modes.has(running) || mode === daemon.modes.get(running);
  });
  await daemon.engine.close();
  // What a full disk kept from being written at the end is closed by the next start, or when somebody looks.
  if (isFull) {
    const { engine } = await Daemon.start(store, session, committed);
    await engine.run("getSession", { session }, TESTER);
    await engine.close();
  }
  const { events } = await store.readEvents(session, 0, 100_000);
  const log = events.map(({ json }) => JSON.parse(json) as SessionEvent);
  expect(checkLog(log, { complete: true })).toEqual([]);
  for (const event of log) if (event.type === "ask.answered") answeredBy.add(event.by);
  const lastMode = log.findLast((event) => "mode" in event && event.mode !== undefined) as { mode?: string };
  expect(settings.possible).toContain(lastMode?.mode);
  const requests = log.flatMap((event) =>
    event.type === "session.updated" && event.requested ? [event.requested] : [],
  );
  // The last one has its answer.
  expect(requests.at(-1) ?? {}).toEqual({});
  // Once for each dispatch: a message that was rewound may be sent anew.
  const dispatched = log.filter((event) => event.type === "prompt.dispatched").map((event) => event.message);
  for (const [message, times] of prompts) {
    expect(times).toBeLessThanOrEqual(dispatched.filter((id) => id === message).length);
  }
  for (const reader of readers) {
    expect(reader.seen).toEqual(reader.seen.map((_, index) => reader.after + 1 + index));
    reader.stop();
  }
  readers = [];
  const { messages } = await store.listMessages(session, { limit: 1000 });
  const folded = foldMessages(log);
  expect(messages.map(({ id, role }) => ({ id, role }))).toEqual(
    folded.map(({ id, role }) => ({ id, role })),
  );
  for (const [index, { record }] of messages.entries())
    if (record) expect(record).toEqual(JSON.parse(JSON.stringify(folded[index])));
  expect((await store.openAsks({ session })).asks).toEqual([]);
  expect(await store.getSession(session)).toMatchObject({ head: log.length });
  // Prompts may still wait; the next run's daemon must not take them up.
  await store.deleteSession(session);
}

it("keep the log well-formed, readers gapless, prompts sent once and settings as the last one wanted them", {
  timeout: 150_000,
}, async () => {
  await fc.assert(fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 40 }), play), { numRuns: 1000 });
  expect([...played.keys()].sort()).toEqual(
    [...Object.keys(PLAIN_ACTS), "prompt", "reply", "say", "settings"].sort(),
  );
  expect([...answeredBy]).toEqual(expect.arrayContaining(["owner", "daemon"]));
});
