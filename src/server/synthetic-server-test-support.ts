/** A server whose logs are written by the test: everything real but the engine, which only tells what was committed. */

import { pino } from "pino";
import type { EncodedEvent } from "../core/encoded-event.ts";
import type { SessionEvent } from "../core/event.ts";
import { summarizeSession } from "../core/session-summary.ts";
import type { AskRow, SessionRow, Store } from "../core/store.ts";
import type { AnyDialect } from "../dialects/dialect.ts";
import { DIALECTS } from "../dialects/registry.ts";
import { askView } from "../engine/asks/ask-view.ts";
import type { Engine } from "../engine/engine.ts";
import { MemoryStore } from "../store/memory/memory-store.ts";
import { openFileLister } from "../workspace/list-files.ts";
import type { ServerConfig } from "./config.ts";
import { TOKEN } from "./http-client-test-support.ts";
import type { ServerLimits } from "./limits.ts";
import { type RunningServer, startServer } from "./listen/http-server.ts";

type Listener = { events(events: readonly EncodedEvent[]): void; deleted?: () => void };

export class SyntheticLogs {
  readonly store: Store = new MemoryStore();
  readonly #rows = new Map<string, SessionRow>();
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #feed = new Set<Parameters<Engine["followAll"]>[0]>();
  /** Held back between the commit and its news, to test what happens there. */
  beforePublish: (() => Promise<void>) | undefined;

  readonly engine = {
    follow: (session, events, deleted) => {
      const listener = { events, deleted };
      const listeners = this.#listeners.get(session) ?? new Set();
      this.#listeners.set(session, listeners.add(listener));
      return { stop: () => listeners.delete(listener) };
    },
    followAll: (listener) => {
      this.#feed.add(listener);
      return () => this.#feed.delete(listener);
    },
    run: async (command: string, query: object) => {
      if (command !== "listAsks") throw new Error(`${command} is not known here`);
      const { asks, cursor } = await this.store.openAsks(query);
      return { asks: asks.map((row) => askView(row.session, row)), cursor };
    },
    health: () => ({ ok: true }),
  } as Pick<Engine, "follow" | "followAll" | "run" | "health"> as Engine;

  async create(session: string): Promise<void> {
    await this.append(session, [{ type: "session.created", agent: "mock", cwd: "/" }]);
  }

  /** Commits events and tells the readers. */
  async append(session: string, bodies: readonly object[]): Promise<void> {
    const row = this.#rows.get(session) ?? newRow(session);
    const events = bodies.map((body, index) => {
      const seq = row.head + 1 + index;
      return { seq, json: JSON.stringify({ session, seq, at: seq, ...body }) };
    });
    await this.#commit({ ...row, head: row.head + events.length, updatedAt: row.updatedAt + 1 }, events);
  }

  /** `count` deltas of one text, numbered from 1. */
  async appendDeltas(session: string, count: number, filler = ""): Promise<void> {
    await this.append(
      session,
      Array.from({ length: count }, (_, index) => ({
        type: "text.delta",
        part: "p",
        delta: `${index}${filler}`,
      })),
    );
  }

  /** Changes what the feed shows of a session. */
  async retitle(session: string, title: string): Promise<void> {
    const row = this.#rows.get(session)!;
    await this.#commit({ ...row, title, head: row.head + 1 }, [
      encode(row, { type: "session.updated", title }),
    ]);
  }

  /** Opens and closes asks in one commit. */
  async changeAsks(
    session: string,
    { opens = [], closes = [], detail }: { opens?: string[]; closes?: string[]; detail?: string },
  ) {
    const asked = await Promise.all(closes.map((ask) => this.store.getAsk(session, ask)));
    const row = this.#rows.get(session)!;
    const event = encode(row, {
      type: "ask.opened",
      ask: opens[0] ?? "",
      kind: "permission",
      title: "",
      options: [],
      detail,
    });
    const openAsks = row.openAsks + opens.length - closes.length;
    const opened = opens.map((ask) => ({
      ask,
      kind: "permission",
      state: "open" as const,
      openedSeq: event.seq,
      openedAt: event.seq,
      opened: event.json,
    }));
    const closed = asked.map((ask) => ({ ...ask!, state: "closed" as const }));
    await this.#commit({ ...row, head: event.seq, openAsks }, [event], [...opened, ...closed]);
  }

  async delete(session: string): Promise<void> {
    await this.store.deleteSession(session);
    this.#rows.delete(session);
    for (const listener of this.#listeners.get(session) ?? []) listener.deleted?.();
    for (const listener of this.#feed) listener({ session, deleted: true }, []);
  }

  /** How many channels follow a session now. */
  followers(session: string): number {
    return this.#listeners.get(session)?.size ?? 0;
  }

  async events(session: string): Promise<SessionEvent[]> {
    const { events } = await this.store.readEvents(session, 0, 1_000_000);
    return events.map(({ json }) => JSON.parse(json));
  }

  async #commit(row: SessionRow, events: EncodedEvent[], asks: AskRow[] = []): Promise<void> {
    this.#rows.set(row.id, row);
    await this.store.append([{ session: row.id, events, raws: [], row, messages: [], asks, usage: [] }]);
    await this.beforePublish?.();
    for (const listener of this.#listeners.get(row.id) ?? []) listener.events(events);
    for (const listener of this.#feed) listener(summarizeSession(row), events);
  }
}

export interface SyntheticServer extends RunningServer {
  logs: SyntheticLogs;
}

export async function startSyntheticServer(
  limits?: Partial<ServerLimits>,
  {
    dialects = DIALECTS,
    config = {},
  }: { dialects?: readonly AnyDialect[]; config?: Partial<ServerConfig> } = {},
): Promise<SyntheticServer> {
  const logs = new SyntheticLogs();
  const server = await startServer({
    engine: logs.engine,
    store: logs.store,
    dialects,
    config: testConfig({ limits, ...config }),
    files: openFileLister(),
  });
  return Object.assign(server, { logs });
}

export function testConfig(config: Partial<ServerConfig> = {}): ServerConfig {
  return {
    host: "127.0.0.1",
    port: 0,
    token: TOKEN,
    allowedHosts: [],
    corsOrigins: [],
    roots: [import.meta.dirname],
    defaultAgent: "mock",
    version: "0.0.0",
    logger: pino({ enabled: false }),
    ...config,
  };
}

function encode(row: SessionRow, body: object): EncodedEvent {
  const seq = row.head + 1;
  return { seq, json: JSON.stringify({ session: row.id, seq, at: seq, ...body }) };
}

function newRow(id: string): SessionRow {
  return {
    id,
    agent: "mock",
    cwd: "/",
    status: "idle",
    createdAt: 1,
    updatedAt: 1,
    head: 0,
    rawHead: 0,
    openAsks: 0,
    queued: 0,
    attached: false,
    request: "",
  };
}
