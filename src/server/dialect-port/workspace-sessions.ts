/**
 * Which sessions a port sees: those that work in its workspace, after resolving every link, and ask before they act. An
 * agent that asks nobody must not be led by everybody.
 */
import { isInside } from "../../core/is-inside.ts";
import type { SessionRow, Store } from "../../core/store.ts";
import { sessionNotFound } from "../../protocol/refusals.ts";
import { realPath } from "../real-path.ts";

/** More than can have a stream at once. */
const MAX_FOUND = 10_000;

export class WorkspaceSessions {
  readonly #store: Pick<Store, "getSession">;
  /** A real path. */
  readonly workspace: string;
  /** The oldest are forgotten. */
  readonly #found = new Set<string>();

  constructor(store: Pick<Store, "getSession">, workspace: string) {
    this.#store = store;
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

  async holds({ id, cwd, permissionMode }: SessionRow): Promise<boolean> {
    const isHeld = permissionMode !== "bypass" && (await this.contains(cwd));
    // Only now: a stream that is opened meanwhile asks `wasFound`.
    this.#found.delete(id);
    if (!isHeld) return false;
    this.#found.add(id);
    if (this.#found.size > MAX_FOUND) this.#found.delete(this.#found.values().next().value!);
    return true;
  }

  /** For stopping what was begun here: that is no reason to fear an agent that asks nobody by now. */
  async requireToStop(session: string): Promise<void> {
    const row = await this.#store.getSession(session);
    if (!row || !(await this.contains(row.cwd))) throw sessionNotFound(session);
  }

  async contains(path: string): Promise<boolean> {
    return isInside(await realPath(path), this.workspace);
  }
}
