/** The agents that the shared suites run. One more is one more table. */
import type { AgentTable } from "./agent-table.ts";
import { CLAUDE } from "./claude-table.ts";
import { CODEX } from "./codex-table.ts";
import { MODEL } from "./model-table.ts";
import { OPENCODE } from "./opencode-table.ts";

export const AGENTS: readonly AgentTable[] = [CLAUDE, CODEX, OPENCODE, MODEL];
