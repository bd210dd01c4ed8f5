/** What a session with Claude Code is opened with: a process of its own, of a version that can be used. */
import { requireSupportedProgram } from "../transport/agent-program.ts";
import type { ChildOpening, OpenOptions } from "../transport/define-protocol.ts";
import { readMcpServers } from "../transport/mcp-servers.ts";
import type { ClaudeState } from "./conversation-state.ts";
import { mayBypassPermissions } from "./environment.ts";
import { explainFailure } from "./explain-failure.ts";
import { createInbound } from "./inbound.ts";
import { launch } from "./launch.ts";
import { settle } from "./manifest.ts";
import type { ClaudeOptions } from "./options.ts";
import { VERSIONS } from "./program.ts";

export async function open(session: OpenOptions<ClaudeOptions>): Promise<ChildOpening<ClaudeState>> {
  const { options, environment } = session;
  const connect = { ...session.connect, ...settle(session.connect) };
  const mcpServers = readMcpServers(connect);
  const program = await requireSupportedProgram(session, VERSIONS, connect.signal);
  const mayBypass = mayBypassPermissions({ ...environment(), ...connect.environment });
  return {
    launch: launch({ connect, options, program, mayBypass }),
    encoder: createInbound(mcpServers),
    explainFailure: (error) => explainFailure(error, program),
  };
}
