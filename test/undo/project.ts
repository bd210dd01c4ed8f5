/** A small project with a repository, to be changed by agents and looked at. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class Project implements Disposable {
  readonly #directory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-undo-")));
  readonly root = join(this.#directory, "project");
  /** A data directory beside it. */
  readonly data = join(this.#directory, "data");

  constructor() {
    for (const path of [this.root, this.data]) mkdirSync(path);
    this.git("init", "-q");
    this.write("README.md", "hello\n");
    this.write("mock-removed.txt", "old\n");
    this.git("add", "-A");
    this.git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "first");
  }

  git(...args: string[]): string {
    return execFileSync("git", args, { cwd: this.root, encoding: "utf8" });
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.root, name), text);
  }

  read(name: string): string | undefined {
    const path = join(this.root, name);
    return existsSync(path) ? readFileSync(path, "utf8") : undefined;
  }

  /** Turns a bit in what checkpoints have of a content; its size can still be read. A second time it is whole again. */
  damageKept(content: string): void {
    const id = createHash("sha1")
      .update(`blob ${Buffer.byteLength(content)}\0${content}`)
      .digest("hex");
    const [object] = globSync(`workspaces/**/objects/${id.slice(0, 2)}/${id.slice(2)}`, { cwd: this.data });
    const path = join(this.data, object!);
    const bytes = readFileSync(path);
    bytes[bytes.length - 1]! ^= 1;
    chmodSync(path, 0o600);
    writeFileSync(path, bytes);
  }

  /** What the scenario `files` of the mock works on. */
  get files(): (string | undefined)[] {
    return ["mock-written.txt", "mock-by-shell.txt", "mock-removed.txt"].map((name) => this.read(name));
  }

  [Symbol.dispose](): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

export const BEFORE = [undefined, undefined, "old\n"];
export const AFTER = ["line 1\n", "line 1\n", undefined];
