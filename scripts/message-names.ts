// The names of all messages in schemas/, as types for the translators: a reader of a message that no agent sends does not
// compile. `npm run schemas` writes them; a test fails when they are stale.

import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { readCommittedSchema } from "../src/agents/schemas/committed-schema.ts";
import { outlineOf } from "../src/agents/schemas/outline.ts";

export const MESSAGE_NAMES_FILE = resolve(import.meta.dirname, "../src/agents/schemas/message-names.ts");

const TYPES = {
  AmpMessageName: "amp",
  ClaudeMessageName: "claude",
  CodexMessageName: "codex",
  OpenCodeMessageName: "opencode",
};

export function writeMessageNames(): void {
  writeFileSync(MESSAGE_NAMES_FILE, messageNames());
}

/** The text of the file. */
export function messageNames(): string {
  const types = Object.entries(TYPES).map(([type, agent]) => {
    const { version, sources, ...schema } = readCommittedSchema(agent)!;
    const names = [...outlineOf({ version, sources, ...schema }).keys()].sort();
    const lines = names.map((name) => `  | ${JSON.stringify(name)}`).join("\n");
    return `/** Of ${sources.join("; ")}. */\nexport type ${type} =\n${lines};\n`;
  });
  return ["/** The names of the messages in schemas/. Written by `npm run schemas`. */\n", ...types].join(
    "\n",
  );
}
