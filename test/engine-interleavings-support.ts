/** What the random interleavings are played with: a daemon that can be killed, clients, and what they may rely on. */
import type { Command, CommandOf } from "../src/core/command.ts";
import { InterlinguaError } from "../src/core/error.ts";
import type { EventOf, SessionEvent } from "../src/core/event.ts";
import type { Store } from "../src/core/store.ts";
import { createEngine } from "../src/engine/create-engine.ts";
import type { Engine } from "../src/engine/engine.ts";
import { instrumentStore } from "../src/testkit/instrument-store.ts";
import { ScriptedAdapter, type ScriptedSession } from "../src/testkit/scripted-adapter.ts";
import { TESTER } from "../src/testkit/tester.ts";

export const MODES = ["build", "plan", "chat"] as const;
export type Mode = (typeof MODES)[number];

/** A daemon that can be killed: after that nothing it does reaches the store. */
export class Daemon {
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
    if (mode === undefined) return;
    this.modes.set(agent, mode);
    agent.say({ type: "session.updated", mode });
  }

  static async start(store: Store, session: string, committed: SessionEvent[]): Promise<Daemon> {
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
export function isCommitted(command: Command, committed: readonly SessionEvent[]): boolean {
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
    case "stopTask":
      return committed.some(
        (event) =>
          event.type === "task.stopping" &&
          committed.some(
            (started) =>
              started.type === "task.started" &&
              started.task === event.task &&
              started.native === command.task,
          ),
      );
    case "interrupt":
      return true;
  }
}

/** The modes a session may be in, going by what its clients were told. */
export class WantedMode {
  possible: (string | undefined)[] = [undefined];
  #pending = new Map<Promise<unknown>, Mode>();

  /** Rejects as the engine does. */
  change(engine: Engine, session: string, mode: Mode): Promise<unknown> {
    const changing = engine.run("updateSession", { session, mode }, TESTER).then(
      () => {
        if (this.#pending.delete(changing)) this.possible = [mode];
      },
      (error) => {
        const isRefused = InterlinguaError.isInstance(error) && error.status === 422;
        // With any other failure nobody knows: an agent that was late may still take it.
        if (this.#pending.delete(changing) && !isRefused) {
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
export class Reader {
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

  async catchUp(store: Store, session: string): Promise<void> {
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
