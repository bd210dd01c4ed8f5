/** Installs the agents the suite runs, with our own installer and before the first test. They are kept. */
import { randomUUID } from "node:crypto";
import type { TestProject } from "vitest/node";
import { presetOf } from "../../src/agents/acp/agent.ts";
import { PRESETS as ACP_PRESETS } from "../../src/agents/acp/presets.ts";
import { PROGRAM as AMP } from "../../src/agents/amp/program.ts";
import { PROGRAM as CLAUDE } from "../../src/agents/claude/program.ts";
import { PROGRAM as CODEX } from "../../src/agents/codex/program.ts";
import { PROGRAM as OPENCODE } from "../../src/agents/opencode/program.ts";
import { searchPath } from "../../src/core/search-path.ts";
import { createPrograms } from "../../src/install/local-programs.ts";
import { createProcessHost } from "../../src/process/local-process-host.ts";
import { cacheDirectory } from "../cache-directory.ts";
import { ACP_NAMES } from "./acp-names.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Looks like a data directory in which the agents are installed. */
    installedAgents: string;
  }
}

const PRESETS = [
  AMP,
  CLAUDE,
  CODEX,
  OPENCODE,
  ...ACP_PRESETS.filter(({ name }) => ACP_NAMES.includes(name)).flatMap((agent) => presetOf(agent) ?? []),
];

export default function installAgents(project: TestProject): Promise<void> {
  return installPresets(project, PRESETS);
}

export async function installPresets(project: TestProject, presets: typeof PRESETS): Promise<void> {
  const dataDirectory = cacheDirectory();
  const processHost = createProcessHost({ daemonId: randomUUID(), environment: process.env });
  try {
    const programs = createPrograms({ processHost, dataDirectory, searchPath: searchPath(process.env) });
    for (const preset of presets) await programs.install(preset);
  } finally {
    await processHost.close();
  }
  project.provide("installedAgents", dataDirectory);
}
