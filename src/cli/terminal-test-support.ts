/** Commands at a real pseudo terminal, which `script` of the system makes, for tests. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { stripVTControlCharacters } from "node:util";
import { eventually } from "../testkit/eventually.ts";
import { COMMAND_LINE, type Outcome, type RunOptions, SURROUNDINGS } from "./test-support.ts";

export const CTRL_C = "\u0003";
export const CTRL_D = "\u0004";
export const CTRL_R = "\u0012";
export const ARROW_UP = "\u001b[A";

export interface AtTerminal {
  /** As keys are pressed. */
  type(keys: string): void;
  /** Everything that was written to the terminal, without colours and movements. */
  shown(): string;
  /** The same to the byte. */
  written(): string;
  /** Waits until it is shown, after what was waited for before. */
  sees(text: string): Promise<void>;
  readonly ended: Promise<Outcome>;
}

export interface TerminalOptions extends RunOptions {
  readonly columns?: number;
  /** A file that gets stdout instead of the terminal. */
  readonly stdout?: string;
  /** How long something may take until it is seen. */
  readonly patienceMs?: number;
}

export function startAtTerminal(args: readonly string[], options: TerminalOptions = {}): AtTerminal {
  return startProgramAtTerminal([...COMMAND_LINE, ...args], options);
}

export function startProgramAtTerminal(words: readonly string[], options: TerminalOptions = {}): AtTerminal {
  const { columns = 80, stdout, cwd, environment } = options;
  const target = stdout === undefined ? "" : ` > ${quoted(stdout)}`;
  const command = `stty cols ${columns} rows 40; exec ${words.map(quoted).join(" ")}${target}`;
  const script =
    process.platform === "linux"
      ? ["-qefc", command, "/dev/null"]
      : ["-q", "/dev/null", "/bin/sh", "-c", command];
  const child = spawn("script", script, {
    cwd,
    env: { ...SURROUNDINGS, TERM: "xterm-256color", SHELL: "/bin/sh", ...environment },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let written = "";
  let seen = 0;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    written += text;
  });
  const shown = () => stripVTControlCharacters(written).replaceAll("\r", "");
  return {
    type: (keys) => void child.stdin.write(keys),
    shown,
    written: () => written,
    async sees(text) {
      const isSeen = () => shown().includes(text, seen);
      await eventually(`"${text}"`, isSeen, options.patienceMs).catch((error: Error) => {
        throw new Error(`${error.message} in:\n${shown().slice(seen)}`);
      });
      seen = shown().indexOf(text, seen) + text.length;
    },
    ended: once(child, "close").then(([code]) => ({ code, stdout: shown(), stderr: "" })),
  };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
