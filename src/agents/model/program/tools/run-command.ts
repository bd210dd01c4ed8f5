/** Runs a command in a shell. */
import { stat } from "node:fs/promises";
import { constants } from "node:os";
import { z } from "zod";
import { OWNER_VARIABLE } from "../../../../process/owner-marker.ts";
import { runShell, type ShellExit } from "./command/run-shell.ts";
import { resolveInside } from "./files/confined-directory.ts";
import type { ModelTool, ToolContext } from "./tool.ts";
import { fileFailure, ToolFailure } from "./tool-failure.ts";
import { withVisibleCharacters } from "./visible-characters.ts";

const DEFAULT_TIMEOUT_SECONDS = 60;
const MAX_TIMEOUT_SECONDS = 3600;
const DEFAULT_OUTPUT_BYTES = 100_000;
const MAX_OUTPUT_BYTES = 1024 * 1024;

/** Ours tell whose a process is. A command that could change them would not be found again. */
const RESERVED = /^INTERLINGUA_/;

const input = z.object({
  command: z.string().min(1).describe("Given to `sh -c`. It gets no input."),
  cwd: z.string().optional().describe("A directory inside of the working directory, which is the default."),
  timeout: z
    .number()
    .positive()
    .max(MAX_TIMEOUT_SECONDS)
    .optional()
    .describe(`In seconds; ${DEFAULT_TIMEOUT_SECONDS} by default.`),
  env: z.record(z.string(), z.string()).optional().describe("Further environment variables."),
  max_output_bytes: z
    .number()
    .int()
    .positive()
    .max(MAX_OUTPUT_BYTES)
    .optional()
    .describe(
      `Of stdout and of stderr; ${DEFAULT_OUTPUT_BYTES} by default. Of a longer one the middle is left out.`,
    ),
  encoding: z.string().optional().describe("Of the output; utf-8 by default."),
});
type Input = z.infer<typeof input>;

export const runCommand: ModelTool<Input> = {
  name: "run_command",
  kind: "execute",
  description:
    "Runs a shell command in the working directory and waits for its end. What it leaves in the background is ended with it.",
  input,
  permission: "execute",
  title({ command, cwd, env = {} }) {
    const variables = Object.entries(env).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
    const place = cwd === undefined ? "" : ` (in ${JSON.stringify(cwd)})`;
    return withVisibleCharacters([...variables, command].join(" ") + place);
  },
  async run(input, context) {
    const { command, timeout = DEFAULT_TIMEOUT_SECONDS } = input;
    const encoding = encodingOf(input);
    const environment = environmentOf(input, context);
    if (command.includes("\0"))
      throw new ToolFailure("invalid_argument", "A command cannot hold a NUL character.");
    const cwd = await directoryOf(input, context);
    if (context.signal.aborted) throw aborted({});
    const startedAt = performance.now();
    const maxOutputBytes = input.max_output_bytes ?? DEFAULT_OUTPUT_BYTES;
    const exit = await runShell({
      command,
      cwd,
      environment,
      timeoutMs: timeout * 1000,
      signal: context.signal,
      maxOutputBytes,
      onOutput: liveOutput(context, encoding, maxOutputBytes),
    }).catch((error: Error) => {
      throw new ToolFailure("exception", `The command could not be run: ${error.message}`, { cause: error });
    });
    const fields = {
      command,
      cwd,
      ...outcomeOf(exit, encoding),
      duration_ms: Math.round(performance.now() - startedAt),
      os: process.platform,
    };
    if (exit.endedBy === "abort") throw aborted(fields);
    if (exit.endedBy === "timeout")
      throw new ToolFailure(
        "timeout",
        `The command did not end within ${timeout} s and was ended, with all it started.`,
        { type: "run_command_timeout", fields },
      );
    return { result: { type: "run_command_result", ...fields } };
  },
};

function aborted(fields: Readonly<Record<string, unknown>>): ToolFailure {
  return new ToolFailure("aborted", "The command was stopped.", { fields });
}

function outcomeOf({ endedBy, exitCode, exitSignal, stdout, stderr }: ShellExit, encoding: string) {
  return {
    // As in Python, the number of a signal is told as a negative one.
    exit_code: exitCode ?? (exitSignal ? -constants.signals[exitSignal] : null),
    stdout: stdout.text(encoding),
    stderr: stderr.text(encoding),
    stdout_truncated: stdout.truncatedBytes > 0,
    stderr_truncated: stderr.truncatedBytes > 0,
    stdout_truncated_bytes: stdout.truncatedBytes,
    stderr_truncated_bytes: stderr.truncatedBytes,
    timed_out: endedBy === "timeout",
  };
}

function encodingOf({ encoding = "utf-8" }: Input): string {
  try {
    return new TextDecoder(encoding).encoding;
  } catch {
    throw new ToolFailure("invalid_argument", `There is no encoding ${JSON.stringify(encoding)}. Use utf-8.`);
  }
}

function environmentOf({ env = {} }: Input, { environment }: ToolContext): Record<string, string> {
  for (const [name, value] of Object.entries(env)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || value.includes("\0"))
      throw new ToolFailure("invalid_argument", `${JSON.stringify(name)} cannot be an environment variable.`);
    if (RESERVED.test(name))
      throw new ToolFailure("invalid_argument", `${name} is reserved. Leave it out of env.`);
  }
  const owner = process.env[OWNER_VARIABLE];
  return { ...(owner !== undefined && { [OWNER_VARIABLE]: owner }), ...environment, ...env };
}

async function directoryOf({ cwd = "." }: Input, context: ToolContext): Promise<string> {
  try {
    const real = await resolveInside(context.cwd, cwd);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    throw fileFailure(cwd, error);
  }
  throw new ToolFailure("not_a_directory", `${JSON.stringify(cwd)} is not a directory.`);
}

/** Tells the beginning of what is printed. Printing for ever must not fill the log. */
function liveOutput(context: ToolContext, encoding: string, maxBytes: number) {
  const decoders = { stdout: new TextDecoder(encoding), stderr: new TextDecoder(encoding) };
  let left = maxBytes;
  return (chunk: Buffer, from: "stdout" | "stderr") => {
    if (left === 0) return;
    const shown = chunk.subarray(0, left);
    left -= shown.length;
    const text = decoders[from].decode(shown, { stream: true });
    if (text !== "") context.onOutput(text);
    if (left === 0) context.onOutput("\n[… more is printed …]\n");
  };
}
