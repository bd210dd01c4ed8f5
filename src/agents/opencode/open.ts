/** What a session with OpenCode is opened with: a place on a server that others use too. */
import type { ConnectOptions } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";
import { requireSupportedProgram } from "../transport/agent-program.ts";
import type { ChildOpening, OpenOptions } from "../transport/define-protocol.ts";
import type { Lease } from "../transport/shared-pool.ts";
import type { OpenCodeState } from "./conversation-state.ts";
import { fork } from "./fork.ts";
import { NO_MODEL } from "./inbound/opening.ts";
import { createInbound } from "./inbound.ts";
import { nativeMcpServers } from "./mcp-servers.ts";
import type { OpenCodeOptions } from "./options.ts";
import { VERSIONS } from "./program.ts";
import { sessionToResume } from "./resume.ts";
import type { OpenCodeServer } from "./server.ts";
import type { OpenCodeServers } from "./servers.ts";
import type { WireConfiguration } from "./wire.ts";

export async function open(
  session: OpenOptions<OpenCodeOptions, OpenCodeServers>,
): Promise<ChildOpening<OpenCodeState>> {
  const { connect, options, shared: servers } = session;
  const { cwd, sessionId, signal } = connect;
  nativeMcpServers(connect);
  sessionToResume(connect);
  const program = await requireSupportedProgram(session, VERSIONS, signal);
  const how = { program, connect, cwd: session.directory(), environment: session.environment() };
  const model = connect.model ?? (await configuredModel(await servers.acquire(how), cwd, signal));
  const { resource: server, release } = await servers.acquire({ ...how, model });
  const conversation = await forked(connect, server).catch((error) => {
    release();
    throw error;
  });
  return {
    launch: { command: "opencode", args: ["serve"], cwd, sessionId },
    processHost: { spawn: async ({ onStderrLine }) => server.open(cwd, onStderrLine) },
    encoder: createInbound({ ...conversation, model }, options),
    fork: (agentSessionId, place) => fork(server, agentSessionId, cwd, place),
    end: release,
  };
}

/** A copy is made first, and then resumed like any other session. */
async function forked(connect: ConnectOptions, server: OpenCodeServer): Promise<ConnectOptions> {
  if (!connect.fork) return connect;
  const { cwd, signal } = connect;
  const place = { ...connect.fork, signal };
  const agentSessionId = await fork(server, connect.fork.agentSessionId, cwd, place);
  return { ...connect, resume: true, agentSessionId };
}

/** Rejects with `agent_failed` when there is none: left to itself OpenCode would take one that nobody chose. */
async function configuredModel(
  { resource: server, release }: Lease<OpenCodeServer>,
  directory: string,
  signal?: AbortSignal,
): Promise<string> {
  try {
    const { body } = await server.ask({ id: 0, method: "GET", path: "/config" }, directory, signal);
    signal?.throwIfAborted();
    const { model } = (body ?? {}) as WireConfiguration;
    if (model !== undefined) return model;
    throw new InterlinguaError("agent_failed", `OpenCode could not be used: ${NO_MODEL}.`);
  } finally {
    release();
  }
}
