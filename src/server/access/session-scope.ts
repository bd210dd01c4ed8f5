/** Which sessions and agents a token is for. All others are unknown to whoever holds it. */
import { agentNameOf } from "../../core/agent-alias.ts";
import type { Access } from "../../core/rights.ts";
import type { SessionRow, Store } from "../../core/store.ts";
import { agentNotFound, sessionNotFound } from "../../protocol/refusals.ts";

/** More than can have a stream at once. */
const MAX_FOUND = 10_000;

export class SessionScope {
  readonly #store: Pick<Store, "getSession">;
  readonly #sessions: ReadonlySet<string> | undefined;
  readonly #agents: ReadonlySet<string> | undefined;
  /** With a limit of agents: which sessions were found to be of these. The oldest are forgotten. */
  readonly #found = new Set<string>();

  constructor(store: Pick<Store, "getSession">, { sessions, agents }: Access) {
    this.#store = store;
    this.#sessions = sessions && new Set(sessions);
    this.#agents = agents && new Set(agents.map(agentNameOf));
  }

  get isAll(): boolean {
    return !this.#sessions && !this.#agents;
  }

  /** Whether it is for certain sessions. */
  get namesSessions(): boolean {
    return this.#sessions !== undefined;
  }

  /** Whether it is for sessions of certain agents. */
  get namesAgents(): boolean {
    return this.#agents !== undefined;
  }

  /** For queries of the store. */
  get only(): { sessions?: readonly string[]; agents?: readonly string[] } | undefined {
    if (this.isAll) return undefined;
    return {
      ...(this.#sessions && { sessions: [...this.#sessions] }),
      ...(this.#agents && { agents: [...this.#agents] }),
    };
  }

  /** Undefined if there is no such session for this token. */
  async find(session: string): Promise<SessionRow | undefined> {
    if (!this.coversId(session)) return undefined;
    const row = await this.#store.getSession(session);
    return row && this.covers(row) ? row : undefined;
  }

  /** Throws `session_not_found` for one the token is not for; whether one exists that it is for is not asked. */
  async assert(session: string): Promise<void> {
    if (!this.coversId(session)) throw sessionNotFound(session);
    if (this.#agents && !(await this.find(session))) throw sessionNotFound(session);
  }

  /** For calls that cannot wait: whether it was found, or needs not to be. */
  wasFound(session: string): boolean {
    return this.coversId(session) && (!this.#agents || this.#found.has(session));
  }

  /** As far as the id tells. */
  coversId(session: string): boolean {
    return this.#sessions?.has(session) ?? true;
  }

  covers({ id, agent }: { id: string; agent: string }): boolean {
    if (!this.coversId(id)) return false;
    if (!this.#agents) return true;
    this.#found.delete(id);
    if (!this.coversAgent(agent)) return false;
    this.#found.add(id);
    if (this.#found.size > MAX_FOUND) this.#found.delete(this.#found.values().next().value!);
    return true;
  }

  coversAgent(name: string): boolean {
    return this.#agents?.has(agentNameOf(name)) ?? true;
  }

  /** Throws `agent_not_found`. */
  assertAgent(name: string): void {
    if (!this.coversAgent(name)) throw agentNotFound(name, [...this.#agents!]);
  }
}
