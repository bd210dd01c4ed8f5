/** How an ACP agent is started: its program with the arguments that make it speak the protocol on its pipes. */
import { dirname, join } from "node:path";
import type { ConnectOptions } from "../../core/adapter.ts";
import { type FoundProgram, programFile } from "../../core/program.ts";
import type { Launch } from "../transport/open-child-session.ts";
import type { AcpAgent } from "./agent.ts";

export function launch(
  agent: AcpAgent,
  program: FoundProgram,
  { cwd, sessionId, environment }: Pick<ConnectOptions, "cwd" | "sessionId" | "environment">,
): Launch {
  return {
    command: program.command,
    args: [...program.args, ...agent.args],
    cwd,
    sessionId,
    keys: agent.environmentKeys,
    environment: { ...agent.environment, ...companionOf(agent, program), ...environment },
  };
}

/** What was installed beside the agent is not on the PATH. */
function companionOf({ companion }: AcpAgent, program: FoundProgram): Record<string, string> {
  if (companion === undefined || program.from !== "installed") return {};
  return { [companion.variable]: join(dirname(programFile(program)), companion.file) };
}
