/**
 * Which sessions a port sees: those that work in its workspace, after resolving every link, and whose agents are known to ask
 * before they act. An agent that asks nobody must not be led by everybody.
 */

import { eventOf } from "../../core/encoded-event.ts";
import type { EventType } from "../../core/event.ts";
import { isInside } from "../../core/is-inside.ts";
import { DAEMON } from "../../core/principal.ts";
import type { SessionRow, Store } from "../../core/store.ts";
import type { Engine } from "../../engine/engine.ts";
import { askNotFound, sessionNotFound } from "../../protocol/refusals.ts";
import { realPath } from "../directories/real-path.ts";

/** The events by which a session may stop asking. */
const CHANGING: ReadonlySet<EventType> = new Set(["session.attached", "session.updated", "notice"]);

/** More than can have a stream at once. */
const MAX_FOUND = 10_000;

export class WorkspaceSessions {
  readonly #store: Pick<Store, "getSession" | "getAsk">;
  readonly #engine: Pick<Engine, "run" | "follow">;
  /** A real path. */
  readonly workspace: string;
  /** By id, where its log ended when it asked. The oldest are forgotten. */
  readonly #found = new Map<string, number>();

  constructor(
    store: Pick<Store, "getSession" | "getAsk">,
    engine: Pick<Engine, "run" | "follow">,
    workspace: string,
  ) {
    this.#store = store;
    this.#engine = engine;
    this.workspace = workspace;
  }

  /** Undefined if there is no such session in the workspace. */
  async find(session: string): Promise<SessionRow | undefined> {
    const row = await this.#store.getSession(session);
    return row && (await this.holds(row)) ? row : undefined;
  }

  /** Throws `session_not_found`. */
  async require(session: string): Promise<SessionRow> {
    const row = await this.find(session);
    if (!row) throw sessionNotFound(session);
    return row;
  }

  /** For calls that cannot wait. */
  wasFound(session: string): boolean {
    return this.#found.has(session);
  }

  async holds({ id, cwd, head }: Pick<SessionRow, "id" | "cwd" | "head">): Promise<boolean> {
    const isHeld = (await this.contains(cwd)) && (this.#found.get(id) === head || (await this.#asks(id)));
    // Only now: a stream that is opened meanwhile asks `wasFound`.
    this.#found.delete(id);
    if (!isHeld) return false;
    this.#found.set(id, head);
    if (this.#found.size > MAX_FOUND) this.#found.delete(this.#found.keys().next().value!);
    return true;
  }

  /** False for one that cannot be read, or is gone by now. */
  async #asks(session: string): Promise<boolean> {
    const details = await this.#engine.run("getSession", { session }, DAEMON).catch(() => undefined);
    return details?.asks.asks === "yes";
  }

  /** Calls `onUnasked` once when the session is not known to ask any more, for streams that are open. Returns the end of that. */
  watch(session: string, onUnasked: () => void): () => void {
    let isWatching = true;
    const check = async () => {
      if ((await this.#asks(session)) || !isWatching) return;
      stop();
      this.#found.delete(session);
      onUnasked();
    };
    const follower = this.#engine.follow(session, (events) => {
      if (events.some((event) => CHANGING.has(eventOf(event).type))) void check();
    });
    const stop = () => {
      isWatching = false;
      follower.stop();
    };
    // It may have changed since it was looked for.
    void check();
    return stop;
  }

  /** For stopping what was begun here: that is no reason to fear an agent that asks nobody by now. */
  async requireToStop(session: string): Promise<void> {
    const row = await this.#store.getSession(session);
    if (!row || !(await this.contains(row.cwd))) throw sessionNotFound(session);
  }

  /** Throws `ask_not_found` unless the ask is a question. */
  async requireQuestion(session: string, ask: string): Promise<void> {
    const found = await this.#store.getAsk(session, ask);
    if (found?.kind !== "question") throw askNotFound(ask);
  }

  async contains(path: string): Promise<boolean> {
    return isInside(await realPath(path), this.workspace);
  }
}
