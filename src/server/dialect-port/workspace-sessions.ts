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
    this.#found.delete(id);
    if (permissionMode === "bypass" || !(await this.contains(cwd))) return false;
    this.#found.add(id);
    if (this.#found.size > MAX_FOUND) for (const oldest of this.#found) return this.#found.delete(oldest);
    return true;
  }

  async contains(path: string): Promise<boolean> {
    return isInside(await realPath(path), this.workspace);
  }
}
