/** Codex: OpenAI's command line agent. Sessions with the same program and environment share one app-server. */
import { statSync } from "node:fs";
import { z } from "zod";
import type { BackendAdapter, BackendSession, ConnectOptions, Forkable } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { FoundProgram, Programs } from "../../core/program.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import { extendSession } from "../transport/extend-session.ts";
import { openChildSession } from "../transport/open-child-session.ts";
import { readOptions } from "../transport/read-options.ts";
import { type Share, SharedPool } from "../transport/shared-pool.ts";
import { type CodexConnection, type StartOptions, startConnection } from "./connection.ts";
import { explainFailure } from "./explain-failure.ts";
import { createInbound } from "./inbound.ts";
import { launch, processKey } from "./launch.ts";
import { API_KEYS, CAPABILITIES, ENVIRONMENT_KEYS, NAME } from "./manifest.ts";
import { codexMcpServers } from "./mcp-servers.ts";
import { optionsSchema } from "./options.ts";
import { outbound } from "./outbound.ts";
import { probe } from "./probe.ts";
import { findProgram, PROGRAM, signInRemedy, versionProblem } from "./program.ts";

/** How long a process that no session uses is kept: somebody who closes one often opens the next. */
const LINGER_MS = 10_000;

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
  const pool = new SharedPool<CodexConnection>({ lingerMs: LINGER_MS });
  let lastStart: Promise<unknown> = Promise.resolve();

  // One after the other: two that begin at once in a new home get into each other's way, and one of them dies.
  const start = (options: StartOptions): Promise<CodexConnection> => {
    const begin = () => startConnection(options);
    const started = lastStart.then(begin, begin);
    lastStart = started;
    return started;
  };

  const join = (program: FoundProgram, own: Record<string, string> = {}): Promise<Share<CodexConnection>> => {
    const all = { ...ownVariables(environment()), ...own };
    const apiKey = API_KEYS.map((name) => all[name]).find((value) => value);
    const key = processKey({ program, environment: all });
    return pool.join(key, () => start({ processHost, program, environment: all, apiKey }));
  };

  const connect = async (options: ConnectOptions): Promise<BackendSession> => {
    const session = {
      connect: options,
      options: readOptions("Codex", optionsSchema, options),
      mcpServers: codexMcpServers(options),
    };
    demandDirectory(options.cwd);
    const program = await findProgram(programs);
    const share = await join(program, options.environment);
    const { thing: connection } = share;
    try {
      const problem = versionProblem(connection.version, program);
      if (problem) throw new InterlinguaError("agent_version", problem);
      if (!connection.isSignedIn) {
        throw new InterlinguaError(
          "agent_not_signed_in",
          `Nobody is signed in to Codex. ${signInRemedy(program)}`,
        );
      }
      const lane = connection.newLane();
      const { sessionId } = options;
      let thread: string | undefined;
      const opened = await extendSession(CAPABILITIES, (observe) =>
        openChildSession({
          agent: NAME,
          processHost: {
            async spawn() {
              const process = connection.open(lane);
              void process.exited.then(() => share.leave());
              return process;
            },
          },
          launch: { ...launch({ program }), sessionId },
          translator: outbound,
          encoder: createInbound(session, lane),
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
      share.leave();
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
          const { thing, leave } = await join(program);
          return use(thing).finally(leave);
        },
      }),
    connect,
    // A session leaves nothing behind: what it started ends when it leaves the shared process.
    async release() {},
  };
}

/** Its own part of an environment: the process has it anyway, and who shares a process has to have the same. */
function ownVariables(environment: NodeJS.ProcessEnv): Record<string, string> {
  const prefixes = ENVIRONMENT_KEYS.map((pattern) => pattern.slice(0, -1));
  const own = Object.entries(environment).filter(([name]) =>
    prefixes.some((prefix) => name.startsWith(prefix)),
  );
  return Object.fromEntries(own.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Codex itself opens a thread anywhere, and fails at the first command. */
function demandDirectory(cwd: string): void {
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
