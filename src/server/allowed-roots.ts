/** Where sessions may work: inside the roots, after resolving every link. */
import { realpath, stat } from "node:fs/promises";
import { sep } from "node:path";
import { fileURLToPath } from "node:url";
import { InterlinguaError } from "../core/error.ts";
import { invalidField } from "../protocol/refusals.ts";
import { assertAbsolute, realPath } from "./real-path.ts";

export class AllowedRoots {
  readonly #roots: readonly string[];

  /** `roots` must be real paths. */
  constructor(roots: readonly string[]) {
    this.#roots = roots;
  }

  static async resolve(roots: readonly string[]): Promise<AllowedRoots> {
    return new AllowedRoots(await Promise.all(roots.map((root) => realpath(root))));
  }

  /** The real path of the directory a client named, or the first root. Throws if it may not be used. */
  async directory(path: string | undefined): Promise<string> {
    if (path === undefined) return this.#roots[0]!;
    assertAbsolute(path, "cwd");
    const real = await this.#inside(path);
    const found = await stat(real).catch(() => undefined);
    if (!found?.isDirectory())
      throw new InterlinguaError(
        "not_a_directory",
        `"${path}" is not a directory. Make it first, or name another.`,
      );
    return real;
  }

  /** Throws if a `file:` URL points outside the roots, or to a pipe or device, where a reader would wait forever. */
  async checkFile(url: string): Promise<void> {
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
    await this.#checkReadable(path, "parts", "has a file URL that names a pipe, socket or device");
  }

  /** Throws when a path is not absolute or points outside the roots, or to a pipe or device. It need not exist. */
  async checkPath(path: string, field: string): Promise<void> {
    assertAbsolute(path, field);
    await this.#checkReadable(path, field, "names a pipe, socket or device");
  }

  async #checkReadable(path: string, field: string, problem: string): Promise<void> {
    const found = await stat(await this.#inside(path)).catch(() => undefined);
    if (found && !found.isFile() && !found.isDirectory())
      throw invalidField(field, problem, `"${path}" is not a regular file.`);
  }

  async #inside(path: string): Promise<string> {
    const real = await realPath(path);
    if (this.#roots.some((root) => real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)))
      return real;
    throw new InterlinguaError(
      "outside_roots",
      `"${path}" lies outside the directories this daemon may work in. Start it with --root to add one.`,
    );
  }
}
