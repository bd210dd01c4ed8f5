/** What a session with an ACP agent is opened with: a process of its own, and what it may have done by us. */
import type { ChildOpening, OpenOptions } from "../transport/define-protocol.ts";
import type { AcpAgent } from "./agent.ts";
import { ClientServices } from "./client-services.ts";
import type { AcpState } from "./conversation-state.ts";
import { explainFailure } from "./explain-failure.ts";
import { createInbound } from "./inbound.ts";
import { launch } from "./launch.ts";
import { openRemote } from "./open-remote.ts";
import type { AcpOptions } from "./options.ts";
import { findProgram } from "./program.ts";
import { sessionOptions } from "./session-options.ts";

export async function open(
  agent: AcpAgent,
  opening: OpenOptions<AcpOptions>,
): Promise<ChildOpening<AcpState>> {
  if (agent.remote) return openRemote(agent, agent.remote, opening);
  const { connect, options, programs, processHost, environment } = opening;
  const variables = { ...environment(), ...connect.environment };
  const authMethod = options.authMethod ?? keyMethod(agent, variables);
  const session = sessionOptions(agent.title, connect, { ...options, authMethod });
  const program = await findProgram(agent, programs);
  const { cwd, sessionId } = connect;
  const services = new ClientServices(session, { processHost, sessionId, cwd });
  return {
    launch: launch(agent, program, connect),
    encoder: createInbound(session),
    serve: (state, send) => services.serve(state, send),
    end: () => services.close(),
    explainFailure: (error) => explainFailure(error, agent),
  };
}

/** Where the agent wants to be signed in and there is a key for it, it is told to take that. */
function keyMethod({ keyMethods }: AcpAgent, variables: NodeJS.ProcessEnv): string | undefined {
  return keyMethods?.find(({ variable }) => variables[variable])?.method;
}
