/** Installs the real agents that a suite of the page runs, unless they are there. */
import type { TestProject } from "vitest/node";
import { PROGRAM as CLAUDE } from "../../src/agents/claude/program.ts";
import { PROGRAM as CODEX } from "../../src/agents/codex/program.ts";
import { installPresets } from "../agents/install-agents.ts";

export default function installAgents(project: TestProject): Promise<void> {
  return process.env.INTERLINGUA_NO_BROWSER === "1"
    ? Promise.resolve()
    : installPresets(project, [CLAUDE, CODEX]);
}
