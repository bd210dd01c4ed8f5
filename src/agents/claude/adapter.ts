/** Claude Code: Anthropic's command line agent, run as one process for each session. */
import type { BackendAdapter } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { Programs } from "../../core/program.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import { readVersion } from "../transport/agent-program.ts";
import { extendSession } from "../transport/extend-session.ts";
import { readMcpServers } from "../transport/mcp-servers.ts";
import { openChildSession } from "../transport/open-child-session.ts";
import { ProgramAnswers } from "../transport/program-answers.ts";
import { readOptions } from "../transport/read-options.ts";
import { ENVIRONMENT_KEYS, mayBypassPermissions, ownVariables } from "./environment.ts";
import { explainFailure } from "./explain-failure.ts";
import { createInbound } from "./inbound.ts";
import { launch } from "./launch.ts";
import { CAPABILITIES, NAME, settle } from "./manifest.ts";
import { optionsSchema } from "./options.ts";
import { outbound } from "./outbound.ts";
import { probe } from "./probe.ts";
import { findProgram, PROGRAM, versionProblem } from "./program.ts";

/** It takes a second; on a very busy machine fifteen were seen. Who waits has a limit of their own. */
const OPENING_TIMEOUT_MS = 90_000;

export interface ClaudeAdapterOptions {
  readonly processHost: ProcessHost;
  readonly programs: Programs;
  /** The environment its processes begin with. Secret: for looking, not for logging. */
  environment(): NodeJS.ProcessEnv;
}

export function createClaudeAdapter({
  processHost,
  programs,
  environment,
}: ClaudeAdapterOptions): BackendAdapter {
  const answers = new ProgramAnswers(processHost);
  return {
    name: NAME,
    capabilities: CAPABILITIES,
    environmentKeys: ENVIRONMENT_KEYS,
    program: PROGRAM,
    probe: () => probe({ processHost, programs, environment: ownVariables(environment()) }),
    release: (sessionId) => processHost.endSession(sessionId),
    settle,
    connect: async (wanted) => {
      const connect = { ...wanted, ...settle(wanted) };
      const options = readOptions("Claude Code", optionsSchema, connect);
      const mcpServers = readMcpServers(connect);
      const program = await findProgram(programs);
      const version = await readVersion(answers, program, connect.signal);
      const problem = version && versionProblem(version, program);
      if (problem) {
        answers.forget(program);
        throw new InterlinguaError("agent_version", problem);
      }
      const mayBypass = mayBypassPermissions({ ...environment(), ...connect.environment });
      try {
        return await extendSession(CAPABILITIES, (observe) =>
          openChildSession({
            agent: NAME,
            processHost,
            launch: launch({ connect, options, program, mayBypass }),
            translator: outbound,
            encoder: createInbound(mcpServers),
            observe,
            timeoutMs: OPENING_TIMEOUT_MS,
          }),
        );
      } catch (error) {
        throw explainFailure(error, program);
      }
    },
  };
}
