/** Runs the real git on a repository of ours, so that nothing of the person's settings reaches it or is changed by it. */
import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { lockEnvironment } from "./lock-context.ts";

/** Paths are bytes. As latin1 every byte is one character, and nothing is lost. */
export const BYTES = "latin1";

/** The id of no object, which stands for "not there". */
export const NO_OBJECT = "0".repeat(40);

export interface GitRun {
  /** A string is latin1. */
  readonly input?: string | Buffer;
  /** The index file to use. */
  readonly index?: string;
  readonly settings?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Git is ended when it has said more than this. */
  readonly maxOutputBytes?: number;
  /** Exit codes that are an answer and no failure. */
  readonly allowedCodes?: readonly number[];
  /** Everything else on the machine goes first. */
  readonly isBackground?: boolean;
}

export interface GitOutput {
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly code: number;
  /** It was ended because it said too much. */
  readonly isCut: boolean;
}

/** Options that no config of a person can overrule. */
const SAFE_SETTINGS = ["core.hooksPath=/dev/null", "core.fsmonitor=false", "core.untrackedCache=false"];

const STORE_SETTINGS = [
  ...SAFE_SETTINGS,
  "core.autocrlf=false",
  "core.safecrlf=false",
  "core.protectNTFS=false",
  "core.protectHFS=false",
  "core.fsync=objects,reference",
  "gc.auto=0",
  "maintenance.auto=false",
  "advice.ignoredHook=false",
];

const STORE_ENVIRONMENT = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_LITERAL_PATHSPECS: "1",
  // A ref is a file: we write some ourselves.
  GIT_DEFAULT_REF_FORMAT: "files",
  LC_ALL: "C",
};

export class GitError extends Error {
  override readonly name = "GitError";
  /** Null if a signal ended it. */
  readonly code: number | null;
  readonly stderr: string;

  constructor(command: string, code: number | null, stderr: string) {
    super(`git ${command} ended with ${code ?? "a signal"}: ${stderr.trim().slice(0, 500)}`);
    this.code = code;
    this.stderr = stderr;
  }
}

/**
 * Git with the person's own settings, only to ask about their repository: `rev-parse`, `config --get`, `ls-files` and
 * `check-ignore` write nothing. A repository of another user may be asked too: whatever could run a program is off.
 */
export function askGit(
  directory: string,
  args: readonly string[],
  signal?: AbortSignal,
  maxOutputBytes?: number,
): Promise<GitOutput> {
  return runAsPerson(directory, [...SAFE_SETTINGS, "safe.directory=*"], args, { signal, maxOutputBytes });
}

/**
 * The same, to make and remove a worktree. Filters of the repository run, so it has to be one that git trusts: of the same
 * user, or named by them.
 */
export function changeGit(directory: string, args: readonly string[]): Promise<GitOutput> {
  return runAsPerson(directory, SAFE_SETTINGS, args);
}

const CLONE_SETTINGS = [
  ...SAFE_SETTINGS,
  "gc.auto=0",
  "maintenance.auto=false",
  "protocol.ext.allow=never",
  "submodule.recurse=false",
  "core.splitIndex=false",
];

/** The same, to carry files from one clone of a repository to another. Programs of the person run: filters, and ssh. */
export function cloneGit(
  directory: string,
  args: readonly string[],
  options: Omit<GitRun, "settings" | "isBackground"> = {},
): Promise<GitOutput> {
  return runAsPerson(directory, CLONE_SETTINGS, args, { ...options, isGroup: true });
}

function runAsPerson(
  directory: string,
  settings: readonly string[],
  args: readonly string[],
  {
    environment: more,
    index,
    ...options
  }: Omit<GitRun, "settings" | "isBackground"> & Pick<ProcessOptions, "isGroup"> = {},
): Promise<GitOutput> {
  const environment = {
    ...withoutGit(process.env),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    LC_ALL: "C",
    ...more,
    ...(index !== undefined && { GIT_INDEX_FILE: index }),
  };
  return run(args[0] ?? "", [...asOptions(settings), ...args], { ...options, cwd: directory, environment });
}

export interface GitOptions {
  /** The file with ignore rules that stand in no `.gitignore`. */
  readonly excludes?: string;
  /** Whether what it writes has to be on disk before it ends. */
  readonly isDurable?: boolean;
}

/** Git on a repository of ours, for the files under a root. */
export class Git {
  readonly store: string;
  readonly root: string;
  readonly #settings: readonly string[];

  constructor(store: string, root: string, { excludes = "/dev/null", isDurable = false }: GitOptions = {}) {
    this.store = store;
    this.root = root;
    // What was only handed to the disk survives the daemon, and a power cut leaves it whole or takes it as a whole.
    const method = isDurable ? "batch" : "writeout-only";
    this.#settings = [...STORE_SETTINGS, `core.excludesFile=${excludes}`, `core.fsyncMethod=${method}`];
  }

  /** Makes the repository. */
  async create(): Promise<void> {
    const environment = { ...withoutGit(process.env), ...STORE_ENVIRONMENT, ...lockEnvironment() };
    const args = ["init", "-q", "--bare", "--template=", "--object-format=sha1", this.store];
    await run("init", args, { cwd: this.root, environment });
  }

  /** Rejects with a `GitError` when git does not succeed. */
  run(args: readonly string[], options: GitRun = {}): Promise<GitOutput> {
    const { environment, index, settings = [], ...rest } = options;
    const all = [
      `--git-dir=${this.store}`,
      `--work-tree=${this.root}`,
      ...asOptions([...this.#settings, ...settings]),
      ...args,
    ];
    return run(args[0] ?? "", all, {
      ...rest,
      cwd: this.root,
      environment: {
        ...withoutGit(process.env),
        ...STORE_ENVIRONMENT,
        ...lockEnvironment(),
        ...environment,
        ...(index !== undefined && { GIT_INDEX_FILE: index }),
      },
    });
  }

  /** What git says in one line, such as an id. */
  async line(args: readonly string[], options: GitRun = {}): Promise<string> {
    return (await this.run(args, options)).stdout.toString().trim();
  }
}

function asOptions(settings: readonly string[]): string[] {
  return settings.flatMap((setting) => ["-c", setting]);
}

function withoutGit(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("GIT_")));
}

interface ProcessOptions {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly input?: string | Buffer;
  readonly signal?: AbortSignal;
  readonly maxOutputBytes?: number;
  readonly allowedCodes?: readonly number[];
  readonly isBackground?: boolean;
  /** Whether the programs that it starts end with it. They would hold its pipes open, and the caller up. */
  readonly isGroup?: boolean;
}

/** Settles when the process has ended, also when it is aborted: nothing of it goes on behind the caller's back. */
function run(command: string, args: readonly string[], options: ProcessOptions): Promise<GitOutput> {
  const { cwd, environment: env, input, signal, maxOutputBytes = Infinity, allowedCodes = [] } = options;
  const { isGroup = false } = options;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const child = spawn("git", args, { cwd, env, stdio: ["pipe", "pipe", "pipe"], detached: isGroup });
    if (options.isBackground) lowerPriority(child.pid);
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    let bytes = 0;
    const abort = () => (isGroup ? killGroup(child.pid) : child.kill());
    signal?.addEventListener("abort", abort, { once: true });
    child.stdout.on("data", (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > maxOutputBytes) abort();
      else output.push(piece);
    });
    child.stderr.on("data", (piece: Buffer) => errors.push(piece));
    // It may end before it has read everything; its exit code tells why.
    child.stdin.on("error", () => {});
    if (typeof input === "string") child.stdin.end(input, BYTES);
    else child.stdin.end(input);
    child.once("error", (error) => {
      signal?.removeEventListener("abort", abort);
      reject(error);
    });
    child.once("close", (code) => {
      signal?.removeEventListener("abort", abort);
      const stderr = Buffer.concat(errors).toString(BYTES);
      const isCut = bytes > maxOutputBytes;
      if (signal?.aborted) reject(signal.reason);
      else if (isCut || code === 0 || allowedCodes.includes(code ?? -1))
        resolve({ stdout: Buffer.concat(output), stderr, code: code ?? 0, isCut });
      else reject(new GitError(command, code, stderr));
    });
  });
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid);
  } catch {
    // It has ended already.
  }
}

/** Of the process and those it starts from now on. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already.
  }
}

/** The entries of output with `-z`, as latin1. */
export function zeroSeparated(output: Buffer): string[] {
  return output.toString(BYTES).split("\0").slice(0, -1);
}
