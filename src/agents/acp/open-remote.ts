/** What a session with an ACP agent that runs elsewhere is opened with: a connection of its own. */
import { InterlinguaError } from "../../core/error.ts";
import type { ChildOpening, OpenOptions } from "../transport/define-protocol.ts";
import type { Launch } from "../transport/open-child-session.ts";
import { remoteHost } from "../transport/remote/remote-host.ts";
import { shownAddress } from "../transport/remote/remote-link.ts";
import type { AcpAgent, RemoteAgent } from "./agent.ts";
import type { AcpState } from "./conversation-state.ts";
import { explainFailure } from "./explain-failure.ts";
import { createInbound } from "./inbound.ts";
import type { AcpOptions } from "./options.ts";
import { sessionOptions } from "./session-options.ts";

export async function openRemote(
  agent: AcpAgent,
  remote: RemoteAgent,
  { connect, options }: OpenOptions<AcpOptions>,
): Promise<ChildOpening<AcpState>> {
  assertPossible(agent, options, connect.environment);
  const session = sessionOptions(agent.title, { ...connect, cwd: remote.cwd ?? connect.cwd }, options);
  return {
    launch: remoteLaunch(remote, connect),
    processHost: remoteHost(remote, { signal: connect.signal }),
    encoder: createInbound(session),
    explainFailure: (error) => explainFailure(error, agent),
  };
}

/** Nothing is started: it is what the records say of where the agent is. */
export function remoteLaunch(
  { url }: RemoteAgent,
  { sessionId, cwd }: Pick<Launch, "sessionId" | "cwd">,
): Launch {
  return { command: shownAddress(url), args: [], cwd, sessionId };
}

/** Nothing of this machine is lent to another one. */
function assertPossible(
  { title }: AcpAgent,
  { files, terminals }: AcpOptions,
  environment: Readonly<Record<string, string>> = {},
): void {
  const refuse = (what: string) => new InterlinguaError("unsupported", `${title} runs elsewhere: ${what}`);
  if (files) throw refuse("it works on files there. Take options.files out.");
  if (terminals) throw refuse("it runs commands there. Take options.terminals out.");
  if (Object.keys(environment).length > 0)
    throw refuse("it has its own environment. Take env out of the session, and set the variables there.");
}
