/** What a session with OpenCode is opened with: a place on a server that others use too. */
import type { ConnectOptions } from "../../core/adapter.ts";
import { requireSupportedProgram } from "../transport/agent-program.ts";
import type { ChildOpening, OpenOptions } from "../transport/define-protocol.ts";
import { configuredModel } from "./configured-model.ts";
import type { OpenCodeState } from "./conversation-state.ts";
import { fork } from "./fork.ts";
import { createInbound } from "./inbound.ts";
import { nativeMcpServers } from "./mcp-servers.ts";
import type { OpenCodeOptions } from "./options.ts";
import { VERSIONS } from "./program.ts";
import { sessionToResume } from "./resume.ts";
import type { OpenCodeServer } from "./server.ts";
import type { OpenCodeServers } from "./servers.ts";

const OPENING_TIMEOUT_MS = 60_000;

export async function open(
  session: OpenOptions<OpenCodeOptions, OpenCodeServers>,
): Promise<ChildOpening<OpenCodeState>> {
  const { connect, options, shared: servers } = session;
  const { cwd, sessionId } = connect;
  nativeMcpServers(connect);
  sessionToResume(connect);
  const program = await requireSupportedProgram(session, VERSIONS, connect.signal);
  const how = { program, connect, cwd: session.directory(), environment: session.environment() };
  const model = connect.model ?? (await configuredModel(await servers.acquire(how), cwd));
  const { resource: server, release } = await servers.acquire({ ...how, model });
  const conversation = await forked(connect, server).catch((error) => {
    release();
    throw error;
  });
  return {
    launch: { command: "opencode", args: ["serve"], cwd, sessionId },
    processHost: { spawn: async ({ onStderrLine }) => server.open(cwd, onStderrLine) },
    encoder: createInbound({ ...conversation, model }, options),
    timeoutMs: OPENING_TIMEOUT_MS,
    fork: (agentSessionId, place) => fork(server, agentSessionId, cwd, place),
    end: release,
  };
}

/** A copy is made first, and then resumed like any other session. */
async function forked(connect: ConnectOptions, server: OpenCodeServer): Promise<ConnectOptions> {
  if (!connect.fork) return connect;
  const agentSessionId = await fork(server, connect.fork.agentSessionId, connect.cwd, connect.fork);
  return { ...connect, resume: true, agentSessionId };
}
