/** Whether installed agents say things that our translators were not built on. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCommittedSchema } from "../../agents/schemas/committed-schema.ts";
import { SCHEMA_SOURCES, type SchemaSource } from "../../agents/schemas/extract-schema.ts";
import type { MessageSchema } from "../../agents/schemas/message-schema.ts";
import { newIn, outlineOf } from "../../agents/schemas/outline.ts";
import type { Config } from "../../config/config.ts";
import { type OpenAgents, openAgents } from "../open-agents.ts";
import type { Finding } from "./finding.ts";

/** How many names are listed; a whole new version has hundreds. */
const MAX_NAMES = 12;

export async function checkDrift(config: Config, environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  const opened = openAgents(config, environment);
  try {
    const findings: Finding[] = [];
    for (const [agent, source] of SCHEMA_SOURCES) findings.push(...(await examine(opened, agent, source)));
    return findings;
  } finally {
    await opened.close();
  }
}

/** Nothing for an agent that is not installed: the doctor has said so already. */
async function examine(
  { programs, processHost }: OpenAgents,
  agent: string,
  { program, extract }: SchemaSource,
): Promise<Finding[]> {
  const about = `drift ${agent}`;
  const directory = mkdtempSync(join(tmpdir(), "interlingua-schema-"));
  try {
    const found = await programs.find(program);
    const known = readCommittedSchema(agent);
    if (!found || !known) return [];
    return [{ about, ...compare(await extract({ processHost, program: found, directory }), known) }];
  } catch (error) {
    return [{ about, state: "warning", detail: `could not be compared: ${(error as Error).message}` }];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

export function compare(found: MessageSchema, known: MessageSchema): Pick<Finding, "state" | "detail"> {
  const { messages, fields } = newIn(outlineOf(found), outlineOf(known));
  if (messages.length + fields.length === 0) {
    const detail =
      found.version === known.version
        ? `${found.version} is the version Interlingua was built on`
        : `${found.version} says nothing that ${known.version} did not`;
    return { state: "ok", detail };
  }
  const news = [...list("messages", messages), ...list("fields", fields)].join("; ");
  return {
    state: "warning",
    detail: `${found.version} says more than ${known.version}, which Interlingua was built on: ${news}. Nothing is lost; what is not understood stays in the raw records`,
  };
}

function list(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "";
  return [`new ${what} ${names.slice(0, MAX_NAMES).join(", ")}${more}`];
}
