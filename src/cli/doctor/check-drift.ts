/** Checks whether installed agents speak a newer protocol than our translators know. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCommittedSchema } from "../../agents/schemas/committed-schema.ts";
import { SCHEMA_SOURCES, type SchemaSource, UNASKED } from "../../agents/schemas/extract-schema.ts";
import type { MessageSchema } from "../../agents/schemas/message-schema.ts";
import { type NewField, newIn, outlineOf } from "../../agents/schemas/outline.ts";
import { readVersion } from "../../agents/transport/agent-program.ts";
import { ProgramAnswers } from "../../agents/transport/program-answers.ts";
import type { Config } from "../../config/config.ts";
import type { ProgramPreset } from "../../core/program.ts";
import { type OpenAgents, openAgents } from "../open-agents.ts";
import type { Finding } from "./finding.ts";

/** How many names are listed; a whole new version has hundreds. */
const MAX_NAMES = 12;

export async function checkDrift(config: Config, environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  const opened = openAgents(config, environment);
  try {
    const findings: Finding[] = [];
    for (const [agent, source] of SCHEMA_SOURCES) findings.push(...(await examine(opened, agent, source)));
    for (const [agent, program] of UNASKED) findings.push(...(await compareVersions(opened, agent, program)));
    return [...findings, protocolFinding()];
  } finally {
    await opened.close();
  }
}

/** Says nothing about an agent that is not installed: another check did. */
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

/** A program that cannot list its messages is judged by its version. */
async function compareVersions(
  { programs, processHost }: OpenAgents,
  agent: string,
  preset: ProgramPreset,
): Promise<Finding[]> {
  const found = await programs.find(preset);
  const known = readCommittedSchema(agent);
  if (!found || !known) return [];
  const version = await readVersion(new ProgramAnswers(processHost), found).catch(() => undefined);
  return [{ about: `drift ${agent}`, state: "ok", detail: versionDetail(version ?? "unknown", known) }];
}

export function versionDetail(version: string, known: MessageSchema): string {
  const sources = known.sources.join(", ");
  if (version === known.version) return `${version} is the version Interlingua was built on (${sources})`;
  return `${version} cannot be asked what it says. Interlingua was built on ${sources}; what it does not understand is counted as unread and stays in the raw records`;
}

/** Agents that speak ACP say which version of it when they start. */
function protocolFinding(): Finding {
  const { version, sources } = readCommittedSchema("acp")!;
  const detail = `version ${version} of the protocol, from ${sources.join(", ")}; what an agent says beyond it is counted as unread`;
  return { about: "drift acp", state: "ok", detail };
}

export function compare(found: MessageSchema, known: MessageSchema): Pick<Finding, "state" | "detail"> {
  if (found.version === known.version)
    return { state: "ok", detail: `${found.version} is the version Interlingua was built on` };
  const [then, now] = [outlineOf(known), outlineOf(found)];
  const { messages, fields } = newIn(now, then);
  // An older one may lack what came later; its version decides whether it can be used at all.
  const isNewer = found.version.localeCompare(known.version, "en", { numeric: true }) > 0;
  const gone = isNewer ? newIn(then, now).messages : [];
  const changes = [
    ...list(`${isNewer ? "new" : "other"} messages`, messages),
    ...list(`${isNewer ? "new" : "other"} fields`, namesOf(fields)),
    ...list("gone are the messages", gone),
  ];
  if (changes.length === 0) {
    return {
      state: "ok",
      detail: `${found.version} says nothing that ${known.version}, which Interlingua was built on, did not`,
    };
  }
  const remedy = isNewer
    ? "A newer Interlingua may understand it"
    : "Newer versions of the agent are understood";
  return {
    state: "warning",
    detail: `${found.version} differs from ${known.version}, which Interlingua was built on: ${changes.join("; ")}. Nothing is lost: what is not understood stays in the raw records. ${remedy}`,
  };
}

/** A field that many messages share is named once: `fileId in item/started and 4 more`. */
function namesOf(fields: readonly NewField[]): string[] {
  const messages = new Map<string, Set<string>>();
  for (const { message, path } of fields) {
    const name = path.slice(path.lastIndexOf(".") + 1);
    messages.set(name, (messages.get(name) ?? new Set()).add(message));
  }
  return [...messages].map(([name, [first, ...others]]) => {
    const more = others.length > 0 ? ` and ${others.length} more` : "";
    return `${name} in ${first}${more}`;
  });
}

function list(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} others` : "";
  return [`${what} ${names.slice(0, MAX_NAMES).join(", ")}${more}`];
}
