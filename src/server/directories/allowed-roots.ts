/** Where sessions may work: inside the roots, after resolving every link. */
import { realpath } from "node:fs/promises";
import { sep } from "node:path";
import { fileURLToPath } from "node:url";
import { InterlinguaError } from "../../core/error.ts";
import { isInside } from "../../core/is-inside.ts";
import { HeldDirectory } from "../../files/held-directory.ts";
import { inspectFile } from "../../files/regular-file.ts";
import { invalidField } from "../../protocol/refusals.ts";
import { assertAbsolute, realPath, refuseHung } from "./real-path.ts";

/** Where single sessions may work besides the roots. */
export interface FurtherRoots {
  /** A real path; undefined for most sessions. */
  directoryOf(session: string): string | undefined;
  /** Lets a copy of a session work where it may. */
  inherit(session: string, copy: string): void;
  /** Holds the worktrees that were made for sessions; every session may work in each of them. A real path. */
  readonly worktrees: string;
  revoke(session: string): void;
}

interface OpenOptions {
  /** The field that names it. */
  field: string;
  session?: string;
}

export class AllowedRoots {
  readonly #roots: readonly string[];
  readonly #further: FurtherRoots | undefined;

  /** `roots` must be real paths. */
  constructor(roots: readonly string[], further?: FurtherRoots) {
    this.#roots = roots;
    this.#further = further;
  }

  static async resolve(roots: readonly string[], further?: FurtherRoots): Promise<AllowedRoots> {
    return new AllowedRoots(await Promise.all(roots.map((root) => realpath(root))), further);
  }

  /** Real paths, without what was opened for single sessions. */
  get paths(): readonly string[] {
    return this.#roots;
  }

  /** Whether a real path lies inside the roots themselves. */
  isInRoots(real: string): boolean {
    return this.#roots.some((root) => isInside(real, root));
  }

  /** Whether a directory may be used only because it was opened for this session. */
  isFurther(directory: string, session: string): boolean {
    return !this.#holds(directory) && this.#holds(directory, session);
  }

  /** A copy of a session works in its directory. */
  inherit(session: string, copy: string, directory: string): void {
    if (this.isFurther(directory, session)) this.#further?.inherit(session, copy);
  }

  /** The session is gone, and what was opened for it. */
  forget(session: string): void {
    this.#further?.revoke(session);
  }

  /**
   * The real path of the directory a client named, or the first root. Throws if it may not be used, by this session
   * where one is named.
   */
  async directory(path: string | undefined, session?: string): Promise<string> {
    if (path === undefined) return this.#roots[0]!;
    assertAbsolute(path, "cwd");
    const real = await this.#inside(path, session);
    const found = await inspect(real);
    if (!found?.isDirectory()) throw notADirectory(path);
    return real;
  }

  /**
   * The directory that a client named, to be looked into: inside the roots, or, where a session is named, where that may
   * work. What is exchanged for a link after it was checked is not
   * followed. The caller closes it. Throws as `directory`.
   */
  async open(path: string, { field, session }: OpenOptions): Promise<HeldDirectory> {
    assertAbsolute(path, field);
    const real = await this.#inside(path, session);
    let held: HeldDirectory;
    try {
      held = await HeldDirectory.open(real);
    } catch (error) {
      refuseHung(error);
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "EACCES" && code !== "EPERM") throw notADirectory(path);
      throw new InterlinguaError(
        "not_a_directory",
        `The daemon may not read "${path}". Name another directory, or let it.`,
      );
    }
    const isAllowed = session === undefined ? this.isInRoots(held.path) : this.#holds(held.path, session);
    if (isAllowed) return held;
    await held[Symbol.asyncDispose]();
    throw this.#outside(path);
  }

  /** Throws if a `file:` URL points outside the roots, or to a pipe or device, where a reader would wait forever. */
  async checkFile(url: string, session?: string): Promise<void> {
    let path: string;
    try {
      path = fileURLToPath(url);
    } catch {
      throw invalidField(
        "parts",
        "has a file URL that names no local file",
        `"${url}" names no file of this machine.`,
      );
    }
    await this.#checkReadable(path, "parts", "has a file URL that names a pipe, socket or device", session);
  }

  /** Throws when a path is not absolute or points outside the roots, or to a pipe or device. It need not exist. */
  async checkPath(path: string, field: string, session?: string): Promise<void> {
    assertAbsolute(path, field);
    await this.#checkReadable(path, field, "names a pipe, socket or device", session);
  }

  async #checkReadable(path: string, field: string, problem: string, session?: string): Promise<void> {
    const found = await inspect(await this.#inside(path, session));
    if (found && !found.isFile() && !found.isDirectory())
      throw invalidField(field, problem, `"${path}" is not a regular file.`);
  }

  async #inside(path: string, session?: string): Promise<string> {
    const real = await realPath(path);
    if (this.#holds(real, session)) return real;
    throw this.#outside(path);
  }

  #outside(path: string): InterlinguaError {
    return new InterlinguaError(
      "outside_roots",
      `"${path}" lies outside the directories this daemon may work in: ${this.#roots.join(", ")}. Start it with --root DIRECTORY to add one.`,
    );
  }

  #holds(real: string, session?: string): boolean {
    if (this.isInRoots(real)) return true;
    if (this.#further && real.startsWith(this.#further.worktrees + sep)) return true;
    const further = session === undefined ? undefined : this.#further?.directoryOf(session);
    return further !== undefined && isInside(real, further);
  }
}

function notADirectory(path: string): InterlinguaError {
  return new InterlinguaError(
    "not_a_directory",
    `"${path}" is not a directory. Make it first, or name another.`,
  );
}

/** Undefined where there is nothing. */
async function inspect(path: string): ReturnType<typeof inspectFile> {
  try {
    return await inspectFile(path);
  } catch (error) {
    refuseHung(error);
    throw error;
  }
}
