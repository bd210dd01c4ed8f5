/** Runs the real git on a repository of ours, so that nothing of the person's settings reaches it or is changed by it. */
import { spawn } from "node:child_process";

/** Paths are bytes. As latin1 every byte is one character, and nothing is lost. */
export const BYTES = "latin1";

export interface GitRun {
  /** As latin1. */
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface GitOutput {
  /** As latin1. */
  readonly stdout: string;
  readonly stderr: string;
}

/** Options that no config of a person can overrule. */
const SETTINGS = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.untrackedCache=false",
  "core.autocrlf=false",
  "core.safecrlf=false",
  "core.protectNTFS=false",
  "gc.auto=0",
  "maintenance.auto=false",
].flatMap((setting) => ["-c", setting]);

const ENVIRONMENT = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_LITERAL_PATHSPECS: "1",
  LC_ALL: "C",
};

export class GitError extends Error {
  override readonly name = "GitError";
  /** Null if a signal ended it. */
  readonly code: number | null;
  readonly stderr: string;

  constructor(args: readonly string[], code: number | null, stderr: string) {
    super(`git ${args[0]} ended with ${code ?? "a signal"}: ${stderr.trim().slice(0, 500)}`);
    this.code = code;
    this.stderr = stderr;
  }
}

/** Git with the person's own settings, only to ask about their repository. It never writes. */
export function askGit(directory: string, args: readonly string[], signal?: AbortSignal): Promise<GitOutput> {
  const environment = {
    ...withoutGit(process.env),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
  };
  return run(args, { cwd: directory, environment, signal });
}

/** Git on a repository of ours: `store`, for the files under `root`. */
export class Git {
  readonly store: string;
  readonly root: string;

  constructor(store: string, root: string) {
    this.store = store;
    this.root = root;
  }

  /** Makes the repository. */
  async create(): Promise<void> {
    const environment = { ...withoutGit(process.env), ...ENVIRONMENT };
    await run(["init", "-q", "--bare", "--template=", this.store], { cwd: this.root, environment });
  }

  /** Rejects with a `GitError` when git does not succeed. */
  run(args: readonly string[], { environment, ...rest }: GitRun = {}): Promise<GitOutput> {
    const all = [
      `--git-dir=${this.store}`,
      `--work-tree=${this.root}`,
      ...SETTINGS,
      "-c",
      `core.excludesFile=${this.store}/exclude`,
      ...args,
    ];
    return run(all, {
      ...rest,
      cwd: this.root,
      environment: { ...withoutGit(process.env), ...ENVIRONMENT, ...environment },
    });
  }
}

function withoutGit(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("GIT_")));
}

function run(
  args: readonly string[],
  options: { cwd: string; environment: NodeJS.ProcessEnv; input?: string; signal?: AbortSignal },
): Promise<GitOutput> {
  const { cwd, environment: env, input, signal } = options;
  return new Promise((resolve, reject) => {
    const child = spawn("git", args, { cwd, env, signal, stdio: ["pipe", "pipe", "pipe"] });
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on("data", (piece) => output.push(piece));
    child.stderr.on("data", (piece) => errors.push(piece));
    // It may end before it has read everything; its exit code tells why.
    child.stdin.on("error", () => {});
    child.stdin.end(input ?? "", BYTES);
    child.once("error", reject);
    child.once("close", (code) => {
      const stderr = Buffer.concat(errors).toString();
      if (code === 0) resolve({ stdout: Buffer.concat(output).toString(BYTES), stderr });
      else
        reject(
          new GitError(
            args.filter((arg) => !arg.startsWith("-") && !arg.includes("=")),
            code,
            stderr,
          ),
        );
    });
  });
}

/** The entries of output with `-z`. */
export function zeroSeparated(output: string): string[] {
  return output.split("\0").slice(0, -1);
}
