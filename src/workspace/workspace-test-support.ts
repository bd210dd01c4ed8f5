/** A directory with files, a workspace for it, and a look at all that is on disk. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Workspace } from "../core/workspace.ts";
import type { WorkspaceLimits } from "./limits.ts";
import { openWorkspace } from "./open-workspace.ts";

export const SESSION = "session-1";

/** A directory of a person, and beside it a data directory. */
export class TestProject implements Disposable {
  readonly base: string;
  readonly directory: string;
  readonly data: string;
  readonly workspaces: string;
  readonly workspace: Workspace;

  constructor(limits: Partial<WorkspaceLimits> = {}, now?: () => number) {
    this.base = realpathSync(mkdtempSync(join(tmpdir(), "workspace-")));
    this.directory = join(this.base, "project");
    this.data = join(this.base, "data");
    this.workspaces = join(this.data, "workspaces");
    mkdirSync(this.directory);
    mkdirSync(this.data);
    this.workspace = openWorkspace({
      directory: this.workspaces,
      limits: { minFreeBytes: 0, ...limits },
      now,
    });
  }

  [Symbol.dispose](): void {
    rmSync(this.base, { recursive: true, force: true });
  }

  /** Directories are made as needed. */
  write(path: string, content: string | Buffer, mode?: number): void {
    const full = join(this.directory, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
    if (mode !== undefined) chmodSync(full, mode);
  }

  read(path: string): string {
    return readFileSync(join(this.directory, path), "utf8");
  }

  remove(path: string): void {
    rmSync(join(this.directory, path), { recursive: true });
  }

  path(path: string): string {
    return join(this.directory, path);
  }

  /** The person's git, with nothing of this machine's settings. */
  git(...args: string[]): string {
    return runGit(this.directory, ...args);
  }

  async capture(session = SESSION): Promise<string> {
    return (await this.workspace.capture({ session, directory: this.directory })).id;
  }

  /** The repository of ours, if there is only one. */
  get store(): string {
    const [store = ""] = readdirSync(this.workspaces);
    return join(this.workspaces, store);
  }

  /** What a checkpoint has, by path. */
  filesOf(id: string): Record<string, string> {
    const lines = runGit(this.store, "ls-tree", "-r", "-z", id).split("\0").slice(0, -1);
    const entries = lines.map((line) => /^\d+ \w+ (\w+)\t([\s\S]*)$/.exec(line)!);
    const input = entries.map(([, blob]) => `${blob}\n`).join("");
    const output = execFileSync("git", ["--git-dir", this.store, "cat-file", "--batch"], {
      input,
      maxBuffer: 2 ** 28,
      env: { PATH: process.env.PATH },
    });
    let at = 0;
    return Object.fromEntries(
      entries.map(([, , path]) => {
        const start = output.indexOf(10, at) + 1;
        const size = Number(output.toString("latin1", at, start).split(" ")[2]);
        at = start + size + 1;
        return [path, output.toString("utf8", start, start + size)];
      }),
    );
  }

  /** Plans and applies; what stands in the way is left. */
  async restore(
    target: string,
    turns: readonly (readonly [string, string])[],
    onConflict: OnConflict = "keep",
  ) {
    const { directory } = this;
    const plan = await this.workspace.plan({
      session: SESSION,
      directory,
      target,
      turns: turns.map(([before, after]) => ({ before, after })),
      onConflict,
    });
    return { plan, ...(await this.workspace.apply({ directory, plan })) };
  }
}

type OnConflict = Parameters<Workspace["plan"]>[0]["onConflict"];

export function runGit(directory: string, ...args: string[]): string {
  return execFileSync("git", ["-c", "safe.directory=*", ...args], {
    cwd: directory,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 64 * 1024 * 1024,
    env: {
      PATH: process.env.PATH,
      HOME: "/nonexistent",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "Person",
      GIT_AUTHOR_EMAIL: "person@example.com",
      GIT_COMMITTER_NAME: "Person",
      GIT_COMMITTER_EMAIL: "person@example.com",
      GIT_CONFIG_COUNT: "2",
      GIT_CONFIG_KEY_0: "protocol.file.allow",
      GIT_CONFIG_VALUE_0: "always",
      // It would go on in the background.
      GIT_CONFIG_KEY_1: "gc.auto",
      GIT_CONFIG_VALUE_1: "0",
    },
  });
}

/** All below a folder: kind, whether it can be run, and a digest, by name as latin1. Empty directories too. */
export function readTree(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (path: Buffer, name: string) => {
    for (const entry of readdirSync(path, { encoding: "buffer" })) {
      const full = Buffer.concat([path, Buffer.from("/"), entry]);
      const inner = name === "" ? entry.toString("latin1") : `${name}/${entry.toString("latin1")}`;
      const stats = lstatSync(full);
      if (stats.isDirectory()) {
        found[inner] = "directory";
        visit(full, inner);
      } else if (stats.isSymbolicLink()) found[inner] = `link ${readlinkSync(full)}`;
      else if (!stats.isFile()) found[inner] = "special";
      else {
        const digest = createHash("sha1").update(readFileSync(full)).digest("hex");
        found[inner] = `${stats.mode & 0o111 ? "program" : "file"} ${digest}`;
      }
    }
  };
  visit(Buffer.from(folder), "");
  return found;
}

/** Everything of a repository, with the times of its files: whoever writes one is found out. */
export function readRepository(folder: string): Record<string, string> {
  const found = readTree(folder);
  for (const name of Object.keys(found)) {
    const stats = lstatSync(Buffer.from(join(folder, name), "latin1"), { bigint: true });
    found[name] += ` ${stats.mode} ${stats.mtimeNs} ${stats.ino}`;
  }
  return found;
}
