/** A git that does not come back for one directory as long as a file is there: a preparation stands still where a test wants. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

export class BlockedGit {
  readonly #block: string;
  readonly #calls: string;
  /** For daemons that are to use it. */
  readonly environment: Record<string, string>;

  /** `at` is a folder of its own. Calls that name a path with `name` in it block. */
  constructor(at: string, name: string) {
    mkdirSync(at);
    this.#block = join(at, "block");
    this.#calls = join(at, "calls");
    const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
    const script = `#!/bin/sh
case "$PWD $* $GIT_WORK_TREE" in *${name}*)
  if [ -e "${this.#block}" ]; then echo "$*" >> "${this.#calls}"; fi
  while [ -e "${this.#block}" ]; do sleep 0.05; done ;;
esac
exec "${git}" "$@"
`;
    writeFileSync(join(at, "git"), script);
    chmodSync(join(at, "git"), 0o755);
    this.environment = { PATH: `${at}${delimiter}${process.env.PATH}` };
  }

  block(): void {
    rmSync(this.#calls, { force: true });
    writeFileSync(this.#block, "");
  }

  /** Whether a call stands still since `block`. */
  get isReached(): boolean {
    return existsSync(this.#calls) && readFileSync(this.#calls, "utf8") !== "";
  }

  release(): void {
    rmSync(this.#block, { force: true });
  }
}
