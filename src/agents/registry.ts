/** Every agent there is. Adding one is a folder beside this file and a line in it. */
import type { BackendAdapter } from "../core/adapter.ts";
import { InterlinguaError } from "../core/error.ts";
import type { Programs } from "../core/program.ts";
import type { ProcessHost } from "../process/process-host.ts";
import { type CustomAgent, createAcpAgents } from "./acp/create-agents.ts";
import { agentDirectory } from "./agent-directory.ts";
import { createAmpAdapter } from "./amp/adapter.ts";
import { createClaudeAdapter } from "./claude/adapter.ts";
import { createCodexAdapter } from "./codex/adapter.ts";
import { createMockAdapter } from "./mock/adapter.ts";
import { createOpenCodeAdapter } from "./opencode/adapter.ts";

/** What agents are made with. */
export interface AgentContext {
  readonly processHost: ProcessHost;
  /** The daemon's data directory, or `:memory:`. */
  readonly dataDirectory: string;
  /** Finds the executables of agents that bring none of their own. */
  readonly programs: Programs;
  /** The daemon's environment with what the config adds for an agent. Secret: for looking, not for logging. */
  environmentOf(agent: string): NodeJS.ProcessEnv;
  /** Agents that only the config knows. */
  readonly custom?: readonly CustomAgent[];
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
    createCodexAdapter({ processHost, programs, environment: () => environmentOf("codex") }),
    createOpenCodeAdapter({
      processHost,
      programs,
      serverDirectory: agentDirectory(dataDirectory, "opencode"),
      environment: () => environmentOf("opencode"),
    }),
    createAmpAdapter({
      processHost,
      programs,
      stateDirectory: agentDirectory(dataDirectory, "amp"),
      environment: () => environmentOf("amp"),
    }),
    createMockAdapter({ processHost, stateDirectory: agentDirectory(dataDirectory, "mock") }),
    ...createAcpAgents(context),
  ];
  for (const { name } of context.custom ?? []) {
    if (adapters.filter((adapter) => adapter.name === name).length > 1) {
      throw new InterlinguaError(
        "invalid_request",
        `agents.${name}.protocol: the agent "${name}" comes with Interlingua. Give yours another name.`,
      );
    }
  }
  return new Map(adapters.map((adapter) => [adapter.name, adapter]));
}
