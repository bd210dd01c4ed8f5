/** Codex: OpenAI's command line agent. Sessions with the same program and environment share one app-server. */
import { statSync } from "node:fs";
import { z } from "zod";
import type { BackendAdapter, BackendSession, ConnectOptions, Forkable } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";
import { assertOffered } from "../../core/offered-settings.ts";
import type { Programs } from "../../core/program.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import { extendSession } from "../transport/extend-session.ts";
import { openChildSession } from "../transport/open-child-session.ts";
import { readOptions } from "../transport/read-options.ts";
import type { CodexConnection } from "./connection.ts";
import { CodexConnections } from "./connections.ts";
import { explainFailure } from "./explain-failure.ts";
import { createInbound } from "./inbound.ts";
import { launch } from "./launch.ts";
import { CAPABILITIES, ENVIRONMENT_KEYS, NAME } from "./manifest.ts";
import { codexMcpServers } from "./mcp-servers.ts";
import { optionsSchema } from "./options.ts";
import { outbound } from "./outbound.ts";
import { probe } from "./probe.ts";
import { findProgram, PROGRAM, signInRemedy, versionProblem } from "./program.ts";
import { SETTINGS } from "./thread-settings.ts";

const forkedSchema = z.looseObject({ thread: z.looseObject({ id: z.string() }) });

export interface CodexAdapterOptions {
  readonly processHost: ProcessHost;
  readonly programs: Programs;
  /** The environment its processes begin with. Secret: for looking, not for logging. */
  environment(): NodeJS.ProcessEnv;
}

export function createCodexAdapter({
  processHost,
  programs,
  environment,
}: CodexAdapterOptions): BackendAdapter {
  const connections = new CodexConnections({ processHost, environment });

  const connect = async (options: ConnectOptions): Promise<BackendSession> => {
    const session = {
      connect: options,
      options: readOptions("Codex", optionsSchema, options),
      mcpServers: codexMcpServers(options),
    };
    assertDirectory(options.cwd);
    const program = await findProgram(programs);
    const lease = await connections.acquire(program, options.environment);
    const { resource: connection } = lease;
    try {
      const problem = versionProblem(connection.version, program);
      if (problem) throw new InterlinguaError("agent_version", problem);
      if (!connection.isSignedIn) {
        throw new InterlinguaError(
          "agent_not_signed_in",
          `Nobody is signed in to Codex. ${signInRemedy(program)}`,
        );
      }
      const channel = connection.newChannel();
      const { sessionId } = options;
      let thread: string | undefined;
      const opened = await extendSession(CAPABILITIES, (observe) =>
        openChildSession({
          agent: NAME,
          processHost: {
            async spawn({ onStderrLine }) {
              const process = connection.open(channel, onStderrLine);
              void process.exited.then(() => lease.release());
              return process;
            },
          },
          launch: { ...launch({ program }), sessionId },
          translator: outbound,
          encoder: createInbound(session, channel),
          observe(output) {
            for (const draft of output.drafts) {
              if (draft.type === "session.attached") thread = draft.agentSessionId;
            }
            observe(output);
          },
        }),
      );
      return Object.assign(opened, forkable(connection, thread));
    } catch (error) {
      lease.release();
      throw explainFailure(error);
    }
  };

  return {
    name: NAME,
    capabilities: CAPABILITIES,
    environmentKeys: ENVIRONMENT_KEYS,
    program: PROGRAM,
    probe: () =>
      probe({
        programs,
        async withConnection(program, use) {
          const { resource, release } = await connections.acquire(program);
          return use(resource).finally(release);
        },
      }),
    settle(wanted) {
      assertOffered("Codex", SETTINGS, wanted.settings);
      return wanted;
    },
    connect,
    // A session leaves nothing behind: what it started ends when it leaves the shared process.
    async release() {},
  };
}

/** Codex itself opens a thread anywhere, and fails at the first command. */
function assertDirectory(cwd: string): void {
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new InterlinguaError("not_a_directory", `${cwd} is not a directory; name one that exists.`);
}

/** The copy is a thread of its own, which nobody follows until a session takes it up. */
function forkable(connection: CodexConnection, threadId: string | undefined): Forkable {
  return {
    async fork() {
      const forked = await connection.call("thread/fork", { threadId, excludeTurns: true });
      const { id } = forkedSchema.parse(forked).thread;
      await connection.call("thread/unsubscribe", { threadId: id });
      return id;
    },
  };
}
