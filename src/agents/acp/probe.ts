/** Probes an ACP agent without a session: is it installed, does it start, which version. */
import { tmpdir } from "node:os";
import type { AgentStatus } from "../../core/capability.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import { probeProgram } from "../transport/agent-program.ts";
import type { AgentMeans } from "../transport/define-protocol.ts";
import { type Launch, openChildSession } from "../transport/open-child-session.ts";
import { remoteHost } from "../transport/remote/remote-host.ts";
import type { Encoder } from "../transport/translator.ts";
import type { AcpAgent, RemoteAgent } from "./agent.ts";
import type { AcpState, AgentIdentity } from "./conversation-state.ts";
import { openingStep } from "./inbound/opening.ts";
import { launch } from "./launch.ts";
import { remoteLaunch } from "./open-remote.ts";
import { outbound } from "./outbound.ts";
import { findProgram } from "./program.ts";

const TIMEOUT_MS = 30_000;

/** Never rejects. A program we installed has the pinned version; any other is started and asked. */
export function probe(
  agent: AcpAgent,
  { processHost, programs, inTurn = atOnce }: AgentMeans,
): Promise<AgentStatus> {
  const { remote } = agent;
  if (remote) return inTurn(() => probeRemote(agent, remote));
  return probeProgram(findProgram(agent, programs), async (program) => {
    if (program.from === "installed") return { installed: true, version: agent.program.version };
    try {
      // One at a time: agents that start at once slow each other down.
      const { version } = await inTurn(() =>
        introduce(agent, processHost, launch(agent, program, nowhere(agent))),
      );
      return { installed: true, version };
    } catch (error) {
      return { installed: true, remedy: (error as Error).message };
    }
  });
}

function atOnce<Result>(work: () => Promise<Result>): Promise<Result> {
  return work();
}

async function probeRemote(agent: AcpAgent, remote: RemoteAgent): Promise<AgentStatus> {
  try {
    const host = remoteHost(remote, { retryMs: 0 });
    const { version } = await introduce(agent, host, remoteLaunch(remote, nowhere(agent)));
    return { installed: true, version };
  } catch (error) {
    // Whether it is installed there is not known.
    return { installed: false, remedy: (error as Error).message };
  }
}

function nowhere({ name }: AcpAgent): { cwd: string; sessionId: string } {
  return { cwd: tmpdir(), sessionId: `probe-${name}` };
}

/** Only `initialize`: a session would be something to clean up. */
async function introduce(
  agent: AcpAgent,
  processHost: Pick<ProcessHost, "spawn">,
  started: Launch,
): Promise<AgentIdentity> {
  let identity: AgentIdentity | undefined;
  const encoder: Encoder<AcpState> = {
    open(state) {
      identity = state.agent;
      const step = openingStep(state, { cwd: started.cwd, mcpServers: [] });
      return identity !== undefined && step.step === "send" ? { step: "ready" } : step;
    },
    encode: () => [],
  };
  const session = await openChildSession({
    agent: agent.name,
    processHost,
    launch: started,
    translator: outbound,
    encoder,
    timeoutMs: TIMEOUT_MS,
  });
  await session.close();
  return identity!;
}
