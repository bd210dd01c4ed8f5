/** The schemas that agents give themselves. Adding one that does is a line in it. */
import type { FoundProgram, ProgramPreset } from "../../core/program.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import { PROGRAM as AMP } from "../amp/program.ts";
import { PROGRAM as CLAUDE } from "../claude/program.ts";
import { PROGRAM as CODEX } from "../codex/program.ts";
import { extractCodexSchema } from "../codex/schema.ts";
import { PROGRAM as OPENCODE } from "../opencode/program.ts";
import { extractOpenCodeSchema } from "../opencode/schema.ts";
import type { MessageSchema } from "./message-schema.ts";

export interface ExtractOptions {
  readonly processHost: ProcessHost;
  readonly program: FoundProgram;
  /** An empty directory, for what the program has to write. */
  readonly directory: string;
}

export interface SchemaSource {
  readonly program: ProgramPreset;
  /** Rejects when the program gives none. */
  extract(options: ExtractOptions): Promise<MessageSchema>;
}

export const SCHEMA_SOURCES: ReadonlyMap<string, SchemaSource> = new Map([
  ["codex", { program: CODEX, extract: extractCodexSchema }],
  ["opencode", { program: OPENCODE, extract: extractOpenCodeSchema }],
]);

/** Agents that cannot be asked: their schemas are of their SDKs and of recordings, so only versions can be compared. */
export const UNASKED: ReadonlyMap<string, ProgramPreset> = new Map([
  ["claude", CLAUDE],
  ["amp", AMP],
]);
