/** Runs a program of examples/, against the sources. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

export const EXAMPLES = resolve(import.meta.dirname, "../examples");

/** Examples import the package by its name. Here that is the source, whatever was built last. */
const FROM_SOURCE = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  const source = ${JSON.stringify(pathToFileURL(resolve(import.meta.dirname, "../src")).href)};
  const inSource = (name) => name.replace(/^interlingua\\/(sdk|native|unified)$/, source + "/$1/index.ts");
  registerHooks({ resolve: (name, context, next) => next(inSource(name), context) });
`)}`;

export interface RunningExample {
  readonly process: ChildProcessWithoutNullStreams;
  /** What it printed so far on stdout. */
  output(): string;
  errors(): string;
  /** Its exit code; null when a signal ended it. */
  readonly exited: Promise<number | null>;
  /** Ends it, if it still runs. */
  kill(signal?: NodeJS.Signals): Promise<void>;
}

export interface RunOptions {
  readonly environment?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** A TypeScript file runs in our Node, a Python one in the first `python3` on the PATH. */
export function runExample(file: string, args: readonly string[], options: RunOptions = {}): RunningExample {
  const path = join(EXAMPLES, file);
  const [program, first] = file.endsWith(".py")
    ? ["python3", ["-B", path]]
    : [process.execPath, ["--import", FROM_SOURCE, path]];
  const child = spawn(program, [...first, ...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.environment },
  });
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const exited = new Promise<number | null>((done, fail) => {
    child.once("error", fail);
    // With `close` all output has come.
    child.once("close", done);
  });
  return {
    process: child,
    output: () => output,
    errors: () => errors,
    exited,
    async kill(signal = "SIGTERM") {
      child.kill(signal);
      await exited;
    },
  };
}
