/** Git repositories in which one file is something else: each place where git or Interlingua reads, times each kind of trap. */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";

/** Nobody but its owner may ever read it. A valid rule, so that it could be taken for one. */
export const SECRET = "a-secret-that-lies-elsewhere-5f1c";

/** Relative to the repository, whose sessions work in `a/b`. What comes before `=>` names the file in a config or folder. */
export const PLACES = [
  ".gitignore",
  "a/.gitignore",
  "a/b/.gitignore",
  "a/b/c/.gitignore",
  ".gitattributes",
  "a/b/.gitattributes",
  ".git",
  ".git/HEAD",
  ".git/config",
  ".git/index",
  ".git/packed-refs",
  ".git/refs/heads/main",
  ".git/commondir",
  ".git/info/exclude",
  ".git/info/attributes",
  ".git/objects/info/alternates",
  "include.path => included",
  "core.excludesFile => a/excludes",
  "a/b/inner/.git",
  "a/b/inner/.git/HEAD",
  "a/b/inner/.git/info/exclude",
] as const;

export type Place = (typeof PLACES)[number];

export const KINDS = [
  "a link to /dev/zero",
  "a pipe",
  "a link to a pipe",
  "a directory",
  "a socket",
  "a link to a secret",
  "a sparse file of 2 GB",
  "an unreadable file",
] as const;

export type Kind = (typeof KINDS)[number];

export class HostileRepositories implements Disposable {
  readonly #base: string;
  readonly #template: string;
  readonly #outside: string;
  readonly #servers: Server[] = [];
  #count = 0;

  /** @param base An empty directory. */
  constructor(base: string) {
    this.#base = base;
    this.#template = join(base, "template");
    this.#outside = join(base, "outside");
    mkdirSync(this.#outside);
    writeFileSync(join(this.#outside, "secret"), `${SECRET}\n`);
    execFileSync("mkfifo", [join(this.#outside, "pipe")]);
    mkdirSync(join(this.#template, "a/b/c"), { recursive: true });
    writeFileSync(join(this.#template, "a/b/file"), "content\n");
    writeFileSync(join(this.#template, "a/b/c/file"), "content\n");
    this.#git(this.#template, "init", "-q", "-b", "main");
    this.#git(this.#template, "add", ".");
    this.#git(this.#template, "commit", "-q", "-m", "first");
  }

  [Symbol.dispose](): void {
    for (const server of this.#servers) server.close();
  }

  /** Gives the directory for a session. */
  async make(place: Place, kind: Kind): Promise<string> {
    this.#count += 1;
    const repository = join(this.#base, `repository-${this.#count}`);
    cpSync(this.#template, repository, { recursive: true });
    if (place.startsWith("a/b/inner/"))
      cpSync(join(this.#template, ".git"), join(repository, "a/b/inner/.git"), { recursive: true });
    const [setting, named] = place.split(" => ") as [string, string | undefined];
    const path = join(repository, named ?? place);
    if (named !== undefined) {
      const [section, key] = setting.split(".");
      appendFileSync(join(repository, ".git/config"), `[${section}]\n\t${key} = ${path}\n`);
    }
    rmSync(path, { recursive: true, force: true });
    mkdirSync(dirname(path), { recursive: true });
    await this.#put(path, kind);
    return join(repository, "a/b");
  }

  /** Gives the directory for a session in a repository without a trap. */
  clean(): string {
    this.#count += 1;
    const repository = join(this.#base, `repository-${this.#count}`);
    cpSync(this.#template, repository, { recursive: true });
    return join(repository, "a/b");
  }

  /** Gives the innermost of ten nested folders, each with a link to /dev/zero as its rules, as `git clone` makes them. */
  cloneWithNestedLinks(): string {
    this.#count += 1;
    const source = join(this.#base, `source-${this.#count}`);
    const clone = join(this.#base, `clone-${this.#count}`);
    cpSync(this.#template, source, { recursive: true });
    const folders = Array.from({ length: 10 }, (_, depth) => `${depth}`);
    mkdirSync(join(source, ...folders), { recursive: true });
    for (const depth of folders.keys())
      symlinkSync("/dev/zero", join(source, ...folders.slice(0, depth), ".gitignore"));
    writeFileSync(join(source, ...folders, "file"), "content\n");
    this.#git(source, "add", ".");
    this.#git(source, "commit", "-q", "-m", "second");
    this.#git(this.#base, "clone", "-q", source, clone);
    return join(clone, ...folders);
  }

  async #put(path: string, kind: Kind): Promise<void> {
    const outside = (name: string) => symlinkSync(join(this.#outside, name), path);
    if (kind === "a link to /dev/zero") symlinkSync("/dev/zero", path);
    else if (kind === "a pipe") execFileSync("mkfifo", [path]);
    else if (kind === "a link to a pipe") outside("pipe");
    else if (kind === "a directory") mkdirSync(path);
    else if (kind === "a socket") await this.#listen(path);
    else if (kind === "a link to a secret") outside("secret");
    else if (kind === "a sparse file of 2 GB") {
      closeSync(openSync(path, "w"));
      truncateSync(path, 2 ** 31);
    } else {
      writeFileSync(path, "unreadable\n");
      chmodSync(path, 0);
    }
  }

  async #listen(path: string): Promise<void> {
    const server = createServer();
    this.#servers.push(server);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(path, resolve);
    });
  }

  #git(directory: string, ...args: string[]): void {
    const settings = ["-c", "user.name=test", "-c", "user.email=test@localhost"];
    execFileSync("git", ["-C", directory, ...settings, ...args], {
      env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    });
  }
}
