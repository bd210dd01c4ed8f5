/** The schema of what `codex app-server` sends, which it writes itself. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ExtractOptions } from "../schemas/extract-schema.ts";
import { type JsonSchema, type MessageSchema, messageSchema } from "../schemas/message-schema.ts";
import { runProgram } from "../transport/run-program.ts";

export async function extractCodexSchema(options: ExtractOptions): Promise<MessageSchema> {
  const { processHost, program, directory } = options;
  const run = (...args: string[]) =>
    runProgram(processHost, { command: program.command, args: [...program.args, ...args] });
  const { output } = await run("--version");
  const version = /\d+\.\d+\.\d+\S*/.exec(output)?.[0] ?? "unknown";
  await run("app-server", "generate-json-schema", "--experimental", "--out", directory);
  const files = ["ServerNotification", "ServerRequest"].map((name) => readSchema(directory, name));
  const definitions = Object.assign({}, ...files.map(({ definitions }) => definitions));
  const messages = files.flatMap(({ oneOf = [] }) => oneOf);
  return messageSchema({ title: "Messages of codex app-server", version }, messages, definitions);
}

function readSchema(
  directory: string,
  name: string,
): JsonSchema & { definitions: Record<string, JsonSchema> } {
  return JSON.parse(readFileSync(join(directory, `${name}.json`), "utf8"));
}
