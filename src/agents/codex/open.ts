/** What a session with Codex is opened with: a channel of an app-server that others use too. */
import type { ConnectOptions } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { FoundProgram } from "../../core/program.ts";
import { inspectFile } from "../../files/regular-file.ts";
import { versionProblem } from "../transport/agent-program.ts";
import type { ChildOpening, OpenOptions } from "../transport/define-protocol.ts";
import type { CodexState } from "./conversation-state.ts";
import { explainFailure } from "./explain-failure.ts";
import { fork } from "./fork.ts";
import { createInbound } from "./inbound.ts";
import { launch } from "./launch.ts";
import { nativeMcpServers } from "./mcp-servers.ts";
import type { CodexOptions } from "./options.ts";
import { findProgram, signInRemedy, VERSIONS } from "./program.ts";
import type { CodexServer } from "./server.ts";
import type { CodexServers } from "./servers.ts";

export async function open(
  session: OpenOptions<CodexOptions, CodexServers>,
): Promise<ChildOpening<CodexState>> {
  const { connect, options, programs, shared: servers } = session;
  const mcpServers = nativeMcpServers(connect);
  await assertDirectory(connect.cwd);
  const program = await findProgram(programs);
  const { environment: own, signal, onStartRecord } = connect;
  const { resource: server, release } = await servers.acquire(program, { own, signal, onStartRecord });
  const problem = problemOf(server, program);
  if (problem) {
    release();
    throw problem;
  }
  const conversation = await forked(connect, server).catch((error) => {
    release();
    throw explainFailure(error);
  });
  const channel = server.newChannel();
  return {
    launch: { ...launch({ program }), sessionId: connect.sessionId },
    processHost: { spawn: async ({ onStderrLine }) => server.open(channel, onStderrLine) },
    encoder: createInbound({ connect: conversation, options, mcpServers }, channel),
    fork: (agentSessionId, place) => fork(server, agentSessionId, place),
    end: release,
    explainFailure,
  };
}

/** A copy is made first, and then resumed like any other thread. */
async function forked(connect: ConnectOptions, server: CodexServer): Promise<ConnectOptions> {
  if (!connect.fork) return connect;
  const { cwd, signal } = connect;
  const agentSessionId = await fork(server, connect.fork.agentSessionId, connect.fork, { cwd, signal });
  return { ...connect, resume: true, agentSessionId };
}

/** Codex itself opens a thread anywhere, and fails at the first command. */
async function assertDirectory(cwd: string): Promise<void> {
  if ((await inspectFile(cwd))?.isDirectory()) return;
  throw new InterlinguaError("not_a_directory", `${cwd} is not a directory; name one that exists.`);
}

function problemOf(server: CodexServer, program: FoundProgram): InterlinguaError | undefined {
  const problem = versionProblem(VERSIONS, server.version, program);
  if (problem) return new InterlinguaError("agent_version", problem);
  if (server.isSignedIn) return undefined;
  const detail = `Nobody is signed in to Codex. ${signInRemedy(program)}`;
  return new InterlinguaError("agent_not_signed_in", detail);
}
