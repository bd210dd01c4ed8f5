/** Every agent there is. Adding one is a folder beside this file and a line in it. */
import type { BackendAdapter } from "../core/adapter.ts";
import type { Programs } from "../core/program.ts";
import type { ProcessHost } from "../process/process-host.ts";
import { agentDirectory } from "./agent-directory.ts";
import { createClaudeAdapter } from "./claude/adapter.ts";
import { createMockAdapter } from "./mock/adapter.ts";

/** What agents are made with. */
export interface AgentContext {
  readonly processHost: ProcessHost;
  /** The daemon's data directory, or `:memory:`. */
  readonly dataDirectory: string;
  /** Finds the executables of agents that bring none of their own. */
  readonly programs: Programs;
  /** The daemon's environment with what the config adds for an agent. Secret: for looking, not for logging. */
  environmentOf(agent: string): NodeJS.ProcessEnv;
}

/**
 * The adapters by their names.
 *
 * @example const session = await createAgents(context).get("mock")?.connect({ sessionId, cwd });
 */
export function createAgents(context: AgentContext): ReadonlyMap<string, BackendAdapter> {
  const { processHost, dataDirectory, programs, environmentOf } = context;
  const adapters: BackendAdapter[] = [
    createClaudeAdapter({ processHost, programs, environment: () => environmentOf("claude") }),
    createMockAdapter({ processHost, stateDirectory: agentDirectory(dataDirectory, "mock") }),
  ];
  return new Map(adapters.map((adapter) => [adapter.name, adapter]));
}
