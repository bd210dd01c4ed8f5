/** The schema of what `codex app-server` sends, which it writes itself. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readRegularFileSync } from "../../files/regular-file.ts";
import type { ExtractOptions } from "../schemas/extract-schema.ts";
import { type JsonSchema, type MessageSchema, messageSchema } from "../schemas/message-schema.ts";
import { runProgram } from "../transport/run-program.ts";

/** Some twenty times as much as it writes. */
const MAX_SCHEMA_BYTES = 32 * 1024 * 1024;

/** What it writes that has messages to us. */
const FILES = ["ServerNotification", "ServerRequest"];

export async function extractCodexSchema(options: ExtractOptions): Promise<MessageSchema> {
  const { processHost, program, directory } = options;
  const run = (...args: string[]) =>
    runProgram(processHost, { command: program.command, args: [...program.args, ...args] });
  const { output } = await run("--version");
  const version = /\d+\.\d+\.\d+\S*/.exec(output)?.[0] ?? "unknown";
  const { code, errors } = await run(
    "app-server",
    "generate-json-schema",
    "--experimental",
    "--out",
    directory,
  );
  const isWritten = FILES.every((name) => existsSync(fileOf(directory, name)));
  if (!isWritten) throw new Error(`${program.command} gave no schema${reason(code, errors)}`);
  const files = FILES.map((name) => readSchema(directory, name));
  const definitions = Object.assign({}, ...files.map(({ definitions }) => definitions));
  const messages = files.flatMap(({ oneOf = [] }) => oneOf);
  return messageSchema(
    {
      title: "Messages of codex app-server",
      version,
      sources: [`codex app-server generate-json-schema ${version}`],
    },
    messages,
    definitions,
  );
}

function readSchema(
  directory: string,
  name: string,
): JsonSchema & { definitions: Record<string, JsonSchema> } {
  const text = readRegularFileSync(fileOf(directory, name), { maxBytes: MAX_SCHEMA_BYTES }).toString();
  return JSON.parse(text);
}

function fileOf(directory: string, name: string): string {
  return join(directory, `${name}.json`);
}

function reason(code: number | null, errors: string): string {
  const [first = ""] = errors.trim().split("\n");
  if (first !== "") return `: ${first}`;
  return code === 0 ? "" : ` and exited with code ${code}`;
}
