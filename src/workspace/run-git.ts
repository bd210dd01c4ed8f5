/**
 * Runs one git process. `runGit` always settles: at the time limit of git, when git says too much, when git is aborted, and
 * soon after git has exited, even if a process that git started keeps its output open. Which git is run with which settings
 * is decided elsewhere.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { findBlockingFile } from "./blocking-files.ts";
import { gitChildren } from "./git-children.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** Paths are bytes. As latin1 every byte is one character, and nothing is lost. */
export const BYTES = "latin1";

/** How long git may take to list or check files. */
export const QUESTION_MS = 30_000;

/** How long git may take to say which repository and which settings a directory has. Nothing else is asked before. */
export const FIRST_QUESTION_MS = 10_000;

/** How long work on our own repository may take, such as packing it. */
export const WORK_MS = 30 * 60_000;

/** From then on git may be waiting for a pipe: somebody has to look. */
const PATIENCE_MS = 2000;

/** The time between SIGTERM and SIGKILL, and from there until git is left alone. */
const GRACE_MS = 1000;

/** After git has exited, its output ends when nothing has come for so long. */
const QUIET_MS = 1000;

/**
 * The address space of a git that reads foreign files and starts no programs. Git reads most files as a whole, also a device
 * without end that a hostile repository puts there. Mapped files count too, so git maps packs in small windows.
 */
const MAX_MEMORY_BYTES = 2 * 2 ** 30;
const SMALL_WINDOWS = ["-c", "core.packedGitWindowSize=32m", "-c", "core.packedGitLimit=512m"];

/** Shells without such a limit, as on macOS, run git without it. */
const LIMITED = 'ulimit -v "$0" 2>/dev/null; exec git "$@"';
const NOT_FOUND = 127;
const OUT_OF_MEMORY = /^fatal: Out of memory|^fatal: .*Cannot allocate memory/m;

const MAX_OUTPUT_BYTES = 256 * 2 ** 20;
const MAX_ERROR_BYTES = 16 * 2 ** 20;

export interface GitOutput {
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly code: number;
  /** It was ended because it said too much. */
  readonly isCut: boolean;
}

export interface GitProcessOptions {
  readonly cwd: string;
  /** The path of `cwd`, where `cwd` is a descriptor. Errors name it. */
  readonly directory?: string;
  readonly environment: NodeJS.ProcessEnv;
  /** A string is latin1. */
  readonly input?: string | Buffer;
  readonly signal?: AbortSignal;
  /** Git is ended when it takes longer. */
  readonly limitMs: number;
  /** Whether git opens files in `cwd` that others have made. It is ended when it turns out to wait for one. */
  readonly readsForeignFiles?: boolean;
  /** Limits the memory of git, and of the programs it starts: filters in some languages do not start with the limit. */
  readonly hasLimitedMemory?: boolean;
  /** Git is ended when it has said more than this, and what it said is an answer. Without it, it is an error. */
  readonly maxOutputBytes?: number;
  /** Exit codes that are an answer and no failure. */
  readonly allowedCodes?: readonly number[];
  /** Everything else on the machine goes first. */
  readonly isBackground?: boolean;
}

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

/** Git was ended because it took too long. It waits for a pipe or a disk, or there is too much to do. */
export class GitTimeoutError extends WorkspaceError {
  constructor(command: string, directory: string, limitMs: number) {
    super(
      `git ${command} in ${directory} took longer than its limit of ${limitMs / 1000} s and was ended. Look for a disk that does not answer.`,
    );
  }
}

/** Git was refused memory: a file that it reads is too large, or has no end. */
export class GitMemoryError extends WorkspaceError {
  constructor(command: string, directory: string) {
    super(
      `git ${command} in ${directory} needs more than ${MAX_MEMORY_BYTES / 2 ** 30} GiB of memory. Look for a link to a device or a huge file in its .git, its config or its .gitignore files.`,
    );
  }
}

/** Settles when the process has ended, also when it is aborted: nothing of it goes on behind the caller's back. */
export async function runGit(
  command: string,
  args: readonly string[],
  options: GitProcessOptions,
): Promise<GitOutput> {
  const { signal, allowedCodes = [] } = options;
  signal?.throwIfAborted();
  const children = gitChildren();
  const { directory = options.cwd } = options;
  const [program, programArgs] = options.hasLimitedMemory
    ? ["/bin/sh", ["-c", LIMITED, String(MAX_MEMORY_BYTES / 1024), ...SMALL_WINDOWS, ...args]]
    : ["git", args];
  const child = spawn(program, programArgs, {
    cwd: options.cwd,
    env: { ...options.environment, ...children?.environment },
    stdio: ["pipe", "pipe", "pipe"],
    // A group of its own: what git starts, such as filters, ends with it.
    detached: true,
  });
  const { pid } = child;
  if (pid !== undefined) children?.watch(pid);
  if (options.isBackground) lowerPriority(pid);
  const ending = new Ending(child);
  const abort = () => ending.fail(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  const tooLong = new GitTimeoutError(command, directory, options.limitMs);
  const timer = setTimeout(() => ending.fail(tooLong), options.limitMs);
  const look = async () => {
    const blocking = await findBlockingFile(directory);
    if (blocking) ending.fail(blocking);
  };
  const lookTimer = options.readsForeignFiles ? setTimeout(look, PATIENCE_MS) : undefined;
  try {
    const output = new Output(command, child, ending, options.maxOutputBytes);
    // It may end before it has read everything; its exit code tells why.
    child.stdin.on("error", () => {});
    if (typeof options.input === "string") child.stdin.end(options.input, BYTES);
    else child.stdin.end(options.input);
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
      ending.onGivenUp = () => resolve(child.exitCode);
    });
    if (ending.failure !== undefined) throw ending.failure;
    if (output.isCut || code === 0) return output.result(code ?? 0);
    if (options.hasLimitedMemory && code === NOT_FOUND)
      throw Object.assign(new Error("git is not in the PATH"), { code: "ENOENT" });
    if (options.hasLimitedMemory && OUT_OF_MEMORY.test(output.stderr))
      throw new GitMemoryError(command, directory);
    if (code !== null && allowedCodes.includes(code)) return output.result(code);
    throw new GitError(command, code, output.stderr);
  } finally {
    clearTimeout(timer);
    clearTimeout(lookTimer);
    ending.stop();
    signal?.removeEventListener("abort", abort);
    if (pid !== undefined) children?.forget(pid);
  }
}

/**
 * Ends a process with its group: SIGTERM, a grace period, SIGKILL. A process that outlasts that is left alone. A process that
 * exits may leave others in its group, or outside of it, that hold its output open: they are ended too, or left alone.
 */
class Ending {
  /** Why the call fails; undefined while the output is an answer. */
  failure: unknown;
  onGivenUp = () => {};
  readonly #child: ChildProcessWithoutNullStreams;
  #timer: NodeJS.Timeout | undefined;
  #hasBegun = false;
  #isClosed = false;
  /** How much it has said. */
  #bytes = 0;

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (piece: Buffer) => {
        this.#bytes += piece.length;
      });
    child.once("exit", () => this.#waitForQuiet());
    child.once("close", () => {
      this.#isClosed = true;
    });
  }

  /** Ends the process. The call fails with the reason. */
  fail(reason: unknown): void {
    if (this.#isClosed || this.#hasBegun) return;
    this.failure = reason;
    this.endWithAnswer();
  }

  /** Ends the process. The output so far is an answer. */
  endWithAnswer(): void {
    if (this.#isClosed || this.#hasBegun) return;
    this.#hasBegun = true;
    this.#kill("SIGTERM");
    this.#wait(() => {
      this.#kill("SIGKILL");
      // Somebody outside the group may hold the output open, or the process waits for a disk that does not answer.
      this.#wait(() => this.#giveUp());
    });
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(act: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, GRACE_MS);
  }

  /** All that git itself has said is read: only then is nothing new to come. */
  #waitForQuiet(): void {
    if (this.#isClosed || this.#hasBegun) return;
    const before = this.#bytes;
    this.#timer = setTimeout(() => {
      // A daemon that was busy reads now what has come meanwhile.
      setImmediate(() => {
        if (this.#isClosed || this.#hasBegun) return;
        if (this.#bytes !== before) return this.#waitForQuiet();
        this.#kill("SIGKILL");
        this.#giveUp();
      });
    }, QUIET_MS);
  }

  #giveUp(): void {
    this.#child.stdin.destroy();
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
    this.#child.unref();
    this.onGivenUp();
  }

  /** After git has exited, its group is there while one of its processes is. */
  #kill(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    try {
      if (pid !== undefined) process.kill(-pid, signal);
    } catch {
      // It has ended already.
    }
  }
}

/** What git says, up to a limit. */
class Output {
  isCut = false;
  readonly #stdout: Buffer[] = [];
  readonly #stderr: Buffer[] = [];

  constructor(
    command: string,
    child: ChildProcessWithoutNullStreams,
    ending: Ending,
    maxBytes: number | undefined,
  ) {
    const tooMuch = () => new WorkspaceError(`git ${command} said more than can be read, and was ended.`);
    bound(child.stdout, this.#stdout, maxBytes ?? MAX_OUTPUT_BYTES, () => {
      this.isCut = maxBytes !== undefined;
      if (this.isCut) ending.endWithAnswer();
      else ending.fail(tooMuch());
    });
    bound(child.stderr, this.#stderr, MAX_ERROR_BYTES, () => ending.fail(tooMuch()));
  }

  get stderr(): string {
    return Buffer.concat(this.#stderr).toString(BYTES);
  }

  result(code: number): GitOutput {
    return { stdout: Buffer.concat(this.#stdout), stderr: this.stderr, code, isCut: this.isCut };
  }
}

function bound(
  stream: NodeJS.ReadableStream,
  pieces: Buffer[],
  maxBytes: number,
  onTooMuch: () => void,
): void {
  let bytes = 0;
  stream.on("data", (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > maxBytes) onTooMuch();
    else pieces.push(piece);
  });
}

/** Of the process and those it starts from now on. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already.
  }
}
