/** The schema of what `codex app-server` sends, which it writes itself. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ExtractOptions } from "../schemas/extract-schema.ts";
import { type JsonSchema, type MessageSchema, messageSchema } from "../schemas/message-schema.ts";
import { runProgram } from "../transport/run-program.ts";

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
  return JSON.parse(readFileSync(fileOf(directory, name), "utf8"));
}

function fileOf(directory: string, name: string): string {
  return join(directory, `${name}.json`);
}

function reason(code: number | null, errors: string): string {
  const [first = ""] = errors.trim().split("\n");
  if (first !== "") return `: ${first}`;
  return code === 0 ? "" : ` and exited with code ${code}`;
}
