/**
 * Directories outside the roots that single sessions may work in. Each is a file in the data directory, readable only
 * by its owner: who can write it could as well change the settings of the daemon. A token is not enough.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isInside } from "../core/is-inside.ts";
import { assertOwnFile, readPrivateFile } from "../files/private-file.ts";

const FOLDER = "session-roots";

export class SessionRoots {
  readonly #data: string;

  constructor(dataDirectory: string) {
    this.#data = dataDirectory;
  }

  /** Why a directory can never be one; undefined when it can. */
  refusal(directory: string): string | undefined {
    const data = realPath(this.#data);
    const home = realPath(homedir());
    if (isInside(home, directory)) return `${directory} is your home or holds it.`;
    if (isInside(directory, data) || isInside(data, directory))
      return `${directory} holds or is the data directory.`;
    return undefined;
  }

  /** Lets a session work in a directory, which is a real path. */
  allow(session: string, directory: string): void {
    const folder = join(this.#data, FOLDER);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    rmSync(this.#file(session), { force: true });
    writeFileSync(this.#file(session), `${JSON.stringify(directory)}\n`, { flag: "wx", mode: 0o600 });
  }

  /** Idempotent. */
  revoke(session: string): void {
    rmSync(this.#file(session), { force: true });
  }

  /** Revokes those of sessions that are no more: whoever makes one of the same name has no right to them. */
  async revokeUnless(isKnown: (session: string) => Promise<boolean>): Promise<void> {
    const folder = join(this.#data, FOLDER);
    const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
    for (const entry of entries)
      if (!entry.isDirectory() && !(await isKnown(entry.name))) this.revoke(entry.name);
  }

  /** Whether a directory was opened for it, also if that can no longer be used. */
  has(session: string): boolean {
    return existsSync(this.#file(session));
  }

  /** Where the session may work besides the roots; undefined for most. */
  directoryOf(session: string): string | undefined {
    const directory = readOwn(this.#file(session));
    // One that has become a link is another one.
    if (directory === undefined || realPath(directory) !== directory) return undefined;
    return this.refusal(directory) === undefined ? directory : undefined;
  }

  /** Ids of sessions are safe as names of files. */
  #file(session: string): string {
    return join(this.#data, FOLDER, session);
  }
}

/** Undefined for a link, for a file of another user, for one that others may read or write, and for what is no path. */
function readOwn(file: string): string | undefined {
  try {
    const stats = assertOwnFile(file);
    if (!stats || (stats.mode & 0o777) !== 0o600) return undefined;
    // As JSON: the name of a directory may end in white space.
    const directory: unknown = JSON.parse(readPrivateFile(file) ?? "null");
    return typeof directory === "string" ? directory : undefined;
  } catch {
    return undefined;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
