/**
 * Random interleavings of commands, agent outputs, deaths of agents and of the daemon, and readers that come and go,
 * through the real actor and the SQLite store. A failing seed is printed by fast-check.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkLog } from "../src/core/check-log.ts";
import type { Draft } from "../src/core/draft.ts";
import { InterlinguaError } from "../src/core/error.ts";
import type { SessionEvent } from "../src/core/event.ts";
import { foldMessages } from "../src/core/fold-messages.ts";
import type { Store } from "../src/core/store.ts";
import { createEngine } from "../src/engine/create-engine.ts";
import type { Engine } from "../src/engine/engine.ts";
import { openStore } from "../src/store/open-store.ts";
import { instrumentStore } from "../src/testkit/instrument-store.ts";
import { ScriptedAdapter } from "../src/testkit/scripted-adapter.ts";
import { sloppyDraft } from "../src/testkit/sloppy-drafts.ts";

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
  change: 4,
  rewind: 4,
  model: 4,
  reader: 4,
  leave: 4,
  wait: 8,
  fail: 3,
  doom: 2,
  restart: 3,
  // A real wait: more of them would make the suite long.
  pause: 1,
};

type PlainAct = keyof typeof PLAIN_ACTS;

type Act =
  | { do: "say"; drafts: Draft[] }
  | { do: "prompt"; whenBusy: "queue" | "steer" | "reject"; id: number }
  | { do: "reply"; reply: "once" | "reject"; ask: number }
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
  ...(Object.entries(PLAIN_ACTS) as [PlainAct, number][]).map(([what, weight]) => ({
    weight,
    arbitrary: fc.constant<Act>({ do: what }),
  })),
);

/** A daemon that can be killed: after that nothing it does reaches the store. */
class Daemon {
  /** When doomed, the next agent dies as soon as it is started. */
  readonly adapter = Object.assign(new ScriptedAdapter(), { isDoomed: false });
  engine!: Engine;
  #isDead = false;
  /** How many of the next commits fail for want of room. */
  failures = 0;

  static async start(): Promise<Daemon> {
    const daemon = new Daemon();
    const guarded = instrumentStore(store, {
      append: (batch) => {
        if (daemon.#isDead) return new Promise(() => {});
        if (daemon.failures-- > 0)
          return Promise.reject(Object.assign(new Error("full"), { retryable: true }));
        return store.append(batch);
      },
    });
    daemon.engine = await createEngine({
      store: guarded,
      agents: new Map([["scripted", daemon.adapter]]),
      limits: { stopGraceMs: 2, idleDetachMs: 3, agentTurnQuietMs: 5, unloadMs: 1000 },
      commitRetryMs: 1,
    });
    return daemon;
  }

  kill(): void {
    this.#isDead = true;
  }
}

/** Reads like a client: what is stored first, then what is committed, and notes every seq it was given. */
class Reader {
  readonly seen: number[] = [];
  #stop: () => void;
  #buffer: number[] | undefined = [];

  constructor(engine: Engine, session: string, after: number) {
    const follower = engine.follow(session, (events) => {
      const seqs = events.map(({ seq }) => seq);
      if (this.#buffer) this.#buffer.push(...seqs);
      else this.seen.push(...seqs);
    });
    this.#stop = () => follower.stop();
    this.#after = after;
  }

  readonly #after: number;

  async catchUp(session: string): Promise<void> {
    const { events } = await store.readEvents(session, this.#after, 100_000);
    this.seen.push(...events.map(({ seq }) => seq));
    const last = this.seen.at(-1) ?? this.#after;
    this.seen.push(...(this.#buffer ?? []).filter((seq) => seq > last));
    this.#buffer = undefined;
  }

  stop(): void {
    this.#stop();
  }

  get after(): number {
    return this.#after;
  }
}

let runs = 0;
/** How often each act was played. */
const played = new Map<Act["do"], number>();

async function play(acts: readonly Act[]): Promise<void> {
  const session = `run${++runs}`;
  let daemon = await Daemon.start();
  let readers: Reader[] = [];
  const prompts = new Map<string, number>();
  const attempt = async (work: Promise<unknown>) => {
    try {
      await work;
    } catch (error) {
      const isRefusal = InterlinguaError.isInstance(error) && (error.status < 500 || error.status === 507);
      if (!isRefusal) throw error;
    }
  };
  const agent = () => daemon.adapter.sessions.at(-1);
  const note = (d: Daemon) => {
    d.adapter.onConnect = (connected) => {
      if (d.adapter.isDoomed) connected.die(1);
      d.adapter.isDoomed = false;
      connected.onCommand = (command) => {
        if (command.type === "prompt") prompts.set(command.message, (prompts.get(command.message) ?? 0) + 1);
      };
    };
  };
  note(daemon);
  await daemon.engine.createSession({ id: session, agent: "scripted", cwd: "/" });
  for (const step of acts) {
    const { engine } = daemon;
    played.set(step.do, (played.get(step.do) ?? 0) + 1);
    switch (step.do) {
      case "say":
        agent()?.say(...step.drafts);
        break;
      case "prompt":
        await attempt(
          engine.prompt(session, {
            id: `u${step.id}`,
            parts: [{ type: "text", text: `${step.id}` }],
            whenBusy: step.whenBusy,
          }),
        );
        break;
      case "reply": {
        const asks = await engine.openAsks(session);
        const ask = asks[step.ask % Math.max(1, asks.length)];
        if (ask) await attempt(engine.reply(session, ask.ask, { reply: step.reply }, "owner"));
        break;
      }
      case "interrupt":
        await attempt(engine.interrupt(session, "owner"));
        break;
      case "die":
        agent()?.die(1);
        break;
      case "withdraw":
      case "change": {
        const [waiting] = await engine.queue(session);
        if (!waiting) break;
        if (step.do === "change") await attempt(engine.changeQueued(session, waiting.message, []));
        else await attempt(engine.withdrawQueued(session, waiting.message));
        break;
      }
      case "rewind": {
        const { messages } = await store.listMessages(session, { limit: 50 });
        const user = messages.findLast(({ role }) => role === "user");
        if (user) await attempt(engine.rewind(session, user.id));
        break;
      }
      case "model":
        await attempt(engine.updateSession(session, { model: "other" }));
        break;
      case "reader": {
        const reader = new Reader(engine, session, readers.at(-1)?.seen.at(-1) ?? 0);
        await reader.catchUp(session);
        readers.push(reader);
        break;
      }
      case "leave":
        readers.at(-1)?.stop();
        break;
      case "restart":
        daemon.kill();
        daemon = await Daemon.start();
        note(daemon);
        break;
      case "pause":
        // Long enough for an idle agent to be let go.
        await new Promise((resolve) => setTimeout(resolve, 4));
        break;
      case "fail":
        daemon.failures = 1;
        break;
      case "doom":
        daemon.adapter.isDoomed = true;
        break;
      case "wait":
        await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const isFull = daemon.failures > 0;
  await daemon.engine.close();
  // What a full disk kept from being written at the end is closed by the next start.
  if (isFull) await (await Daemon.start()).engine.close();
  const { events } = await store.readEvents(session, 0, 100_000);
  const log = events.map(({ json }) => JSON.parse(json) as SessionEvent);
  expect(checkLog(log, { complete: true })).toEqual([]);
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

it("keep the log well-formed, readers gapless and prompts sent once", { timeout: 150_000 }, async () => {
  await fc.assert(fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 40 }), play), { numRuns: 1000 });
  expect([...played.keys()].sort()).toEqual([...Object.keys(PLAIN_ACTS), "prompt", "reply", "say"].sort());
});
