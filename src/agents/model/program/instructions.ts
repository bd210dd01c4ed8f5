/** What the model is told about its work before anything is said. */
import { realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { readRegularFileSync } from "../../../files/regular-file.ts";
import type { WirePermissions } from "../wire.ts";
import type { LoopTool } from "./loop-tool.ts";

const MAX_PROJECT_BYTES = 32_000;

const WORK = `You are a coding agent. You work in a directory of the user's machine with the tools you are given, until \
the task is done; then you say in a few words what you did. Look before you change: read a file before you edit it, \
and search rather than guess. Make the smallest change that does the job, check it by running what can be run, and say \
plainly what failed. Paths are relative to the working directory, and nothing outside of it can be reached. Use \
several tools at once where they do not depend on each other. For work of several steps keep a plan with update_plan. \
Ask the user with ask_user only where you cannot find out yourself.`;

const MODES: Readonly<Record<WirePermissions, string>> = {
  default: "The user is asked before you change files, run commands or fetch pages.",
  plan: "You only plan: read and search, then propose a plan with propose_plan. Changes and commands are refused until the user agrees.",
  acceptEdits: "You may change files. The user is asked before you run commands or fetch pages.",
  bypass: "You may change files and run commands without asking.",
};

export interface InstructionFacts {
  readonly cwd: string;
  readonly configuration: { readonly permissions: WirePermissions };
  /** What the session adds. */
  readonly extraInstructions?: string;
  /** When the session was opened, so that they stay the same and can be cached. */
  readonly today: string;
  readonly ownTools: readonly LoopTool[];
}

export function instructionsFor(facts: InstructionFacts): string {
  const { cwd, configuration, extraInstructions, today, ownTools } = facts;
  const project = projectInstructions(cwd);
  return [
    WORK,
    MODES[configuration.permissions],
    ...ownTools.flatMap(({ unavailable }) => unavailable ?? []),
    `Working directory: ${cwd}\nPlatform: ${process.platform}\nDate: ${today}`,
    ...(project === undefined ? [] : [`The project says in AGENTS.md:\n${project}`]),
    ...(extraInstructions === undefined ? [] : [extraInstructions]),
  ].join("\n\n");
}

/** The beginning of them. Undefined if there are none, if they cannot be read, or a link leads out of the directory. */
function projectInstructions(cwd: string): string | undefined {
  try {
    const path = realpathSync(join(cwd, "AGENTS.md"));
    if (!path.startsWith(cwd + sep)) return undefined;
    const bytes = readRegularFileSync(path).subarray(0, MAX_PROJECT_BYTES);
    return new TextDecoder().decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}
