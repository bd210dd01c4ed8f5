/** For tests: what agents are made with, as a daemon without a config file has it. */
import { searchPath } from "../core/search-path.ts";
import { createPrograms } from "../install/local-programs.ts";
import type { ProcessHost } from "../process/process-host.ts";
import type { AgentContext } from "./registry.ts";

export function agentContext(processHost: ProcessHost, dataDirectory: string): AgentContext {
  const programs = createPrograms({ processHost, dataDirectory, searchPath: searchPath(process.env) });
  return { processHost, dataDirectory, programs, environmentOf: () => process.env };
}
