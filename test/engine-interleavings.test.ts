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
import type { Command, CommandOf } from "../src/core/command.ts";
import type { Draft } from "../src/core/draft.ts";
import { InterlinguaError } from "../src/core/error.ts";
import type { EventOf, SessionEvent } from "../src/core/event.ts";
import { foldMessages } from "../src/core/fold-messages.ts";
import type { Store } from "../src/core/store.ts";
import { createEngine } from "../src/engine/create-engine.ts";
import type { Engine } from "../src/engine/engine.ts";
import { openStore } from "../src/store/open-store.ts";
import { instrumentStore } from "../src/testkit/instrument-store.ts";
import { ScriptedAdapter, type ScriptedSession } from "../src/testkit/scripted-adapter.ts";
import { sloppyDraft } from "../src/testkit/sloppy-drafts.ts";
import { until } from "../src/testkit/until.ts";

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
  refuse: 3,
  hang: 2,
  restart: 3,
  // A real wait: more of them would make the suite long.
  pause: 1,
};

type PlainAct = keyof typeof PLAIN_ACTS;

const MODES = ["build", "plan", "chat"] as const;
type Mode = (typeof MODES)[number];

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

/** A daemon that can be killed: after that nothing it does reaches the store. */
class Daemon {
  /** When doomed, the next agent dies as soon as it is started. */
  readonly adapter = Object.assign(new ScriptedAdapter({ modes: [...MODES] }), { isDoomed: false });
  engine!: Engine;
  readonly session: string;
  /** What is on disk of the session that is played. */
  readonly committed: SessionEvent[];
  /** What the agents do with the next changes of settings; they take those that come after. */
  readonly moods: ("refuse" | "hang")[] = [];
  #isDead = false;
  /** How many of the next commits fail for want of room. */
  failures = 0;

  constructor(session: string, committed: SessionEvent[]) {
    this.session = session;
    this.committed = committed;
    this.adapter.onConnect = (agent) => {
      if (this.adapter.isDoomed) agent.die(1);
      this.adapter.isDoomed = false;
      agent.onConfigure = (command) => this.#configure(agent, command);
    };
  }

  /** What each agent works in. */
  readonly modes = new Map<ScriptedSession, string | undefined>();

  async #configure(agent: ScriptedSession, { mode }: CommandOf<"configure">): Promise<void> {
    const mood = this.moods.shift();
    if (mood === "hang") return new Promise(() => {});
    await new Promise((resolve) => setImmediate(resolve));
    if (mood === "refuse") throw new InterlinguaError("unsupported", "not now");
    if (mode !== undefined) this.modes.set(agent, mode);
  }

  static async start(session: string, committed: SessionEvent[]): Promise<Daemon> {
    const daemon = new Daemon(session, committed);
    const guarded = instrumentStore(store, {
      append: (batch) => {
        if (daemon.#isDead) return new Promise(() => {});
        if (daemon.failures-- > 0)
          return Promise.reject(Object.assign(new Error("full"), { retryable: true }));
        const appending = store.append(batch);
        const note = () => {
          for (const { events, session } of batch)
            if (session === daemon.session) for (const { json } of events) committed.push(JSON.parse(json));
        };
        appending.then(note, () => {});
        return appending;
      },
    });
    daemon.engine = await createEngine({
      store: guarded,
      agents: new Map([["scripted", daemon.adapter]]),
      limits: {
        stopGraceMs: 2,
        idleDetachMs: 3,
        agentTurnQuietMs: 5,
        unloadMs: 1000,
        askTimeoutMs: 3,
        settingsTimeoutMs: 3,
      },
      commitRetryMs: 1,
    });
    return daemon;
  }

  kill(): void {
    this.#isDead = true;
  }
}

/** Whether what an agent is told stands in the log. Stopping is the exception. */
function isCommitted(command: Command, committed: readonly SessionEvent[]): boolean {
  switch (command.type) {
    case "prompt":
      return committed.some(
        (event) => event.type === "prompt.dispatched" && event.message === command.message,
      );
    case "reply":
      return committed.some(
        (event) =>
          event.type === "ask.answered" &&
          committed.some(
            (opened) =>
              opened.type === "ask.opened" && opened.ask === event.ask && opened.native === command.ask,
          ),
      );
    case "configure": {
      const last = committed.findLast((event) => event.type === "session.updated" && event.requested);
      const { type: _type, ...wanted } = command;
      return JSON.stringify((last as EventOf<"session.updated">).requested) === JSON.stringify(wanted);
    }
    case "rewind":
      return committed.some(
        (event) => event.type === "conversation.rewound" && event.before === command.before,
      );
    case "interrupt":
      return true;
  }
}

/** The modes a session may be in, going by what its clients were told. */
class WantedMode {
  possible: (string | undefined)[] = [undefined];
  #pending = new Map<Promise<unknown>, Mode>();

  /** Rejects as the engine does. */
  change(engine: Engine, session: string, mode: Mode): Promise<unknown> {
    const changing = engine.updateSession(session, { mode }).then(
      () => {
        if (this.#pending.delete(changing)) this.possible = [mode];
      },
      (error) => {
        const isRefused = InterlinguaError.isInstance(error) && error.status === 422;
        const isHung = InterlinguaError.isInstance(error) && error.code === "agent_timeout";
        // With any other failure nobody knows.
        if (this.#pending.delete(changing) && !isRefused && !isHung) {
          this.possible.push(mode);
        }
        throw error;
      },
    );
    this.#pending.set(changing, mode);
    changing.catch(() => {});
    return changing;
  }

  /** A daemon is killed: what it had not answered may have happened or not. */
  forgetAnswers(): void {
    this.possible.push(...this.#pending.values());
    this.#pending.clear();
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#pending.keys());
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
/** Whose answers to asks there were. */
const answeredBy = new Set<string>();

async function play(acts: readonly Act[]): Promise<void> {
  const session = `run${++runs}`;
  const committed: SessionEvent[] = [];
  let daemon = await Daemon.start(session, committed);
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
        settings.forgetAnswers();
        daemon = await Daemon.start(session, committed);
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
    const { attached, mode } = await daemon.engine.getSession(session);
    const running = agent();
    return !attached || !running || !daemon.modes.has(running) || mode === daemon.modes.get(running);
  });
  await daemon.engine.close();
  // What a full disk kept from being written at the end is closed by the next start, or when somebody looks.
  if (isFull) {
    const { engine } = await Daemon.start(session, committed);
    await engine.getSession(session);
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
  expect(await store.openAsks(session)).toEqual([]);
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
  expect(answeredBy).toEqual(new Set(["owner", "daemon"]));
});
