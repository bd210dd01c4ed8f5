/** OpenCode: an open source agent, run as one server for all sessions that use the same provider and environment. */
import type { BackendAdapter } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";
import { assertOffered } from "../../core/offered-settings.ts";
import type { FoundProgram, Programs } from "../../core/program.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import { readVersion } from "../transport/agent-program.ts";
import { ProgramAnswers } from "../transport/program-answers.ts";
import { readOptions } from "../transport/read-options.ts";
import { SharedPool } from "../transport/shared-pool.ts";
import { configuredModel } from "./configured-model.ts";
import { openConnection } from "./connection.ts";
import { createInbound } from "./inbound.ts";
import { type LaunchOptions, launch, serverKey } from "./launch.ts";
import { CAPABILITIES, ENVIRONMENT_KEYS, NAME } from "./manifest.ts";
import { openCodeMcpServers } from "./mcp-servers.ts";
import { optionsSchema } from "./options.ts";
import { probe } from "./probe.ts";
import { findProgram, PROGRAM, versionProblem } from "./program.ts";
import { sessionToResume } from "./resume.ts";
import type { OpenCodeServer } from "./server.ts";
import { startServer } from "./start-server.ts";

/** Starting a server takes seconds: one that nobody uses waits this long for the next session. */
const LINGER_MS = 15_000;

export interface OpenCodeAdapterOptions {
  readonly processHost: ProcessHost;
  readonly programs: Programs;
  /** Gives the directory its servers are started in. */
  readonly serverDirectory: () => string;
  /** The environment its processes begin with. Secret: for looking, not for logging. */
  environment(): NodeJS.ProcessEnv;
}

export function createOpenCodeAdapter(options: OpenCodeAdapterOptions): BackendAdapter {
  const { processHost, programs } = options;
  const answers = new ProgramAnswers(processHost);
  const servers = new SharedPool<OpenCodeServer>({ lingerMs: LINGER_MS });
  const acquire = (how: LaunchOptions) =>
    servers.acquire(serverKey(how), () => startServer(processHost, launch(how)));

  return {
    name: NAME,
    capabilities: CAPABILITIES,
    environmentKeys: ENVIRONMENT_KEYS,
    program: PROGRAM,
    probe: () => probe(options),
    // What its commands left running belongs to a server, and ends with it.
    release: async () => {},
    settle(wanted) {
      assertOffered("OpenCode", [], wanted.settings);
      return wanted;
    },
    connect: async (connect) => {
      const settings = readOptions("OpenCode", optionsSchema, connect);
      openCodeMcpServers(connect);
      sessionToResume(connect);
      const program = await findProgram(programs);
      await assertSupportedVersion(answers, program, connect.signal);
      const how = { program, connect, cwd: options.serverDirectory(), environment: options.environment() };
      const model = connect.model ?? (await configuredModel(await acquire(how), connect.cwd));
      const lease = await acquire({ ...how, model });
      return openConnection(lease, connect, createInbound({ ...connect, model }, settings));
    },
  };
}

async function assertSupportedVersion(
  answers: ProgramAnswers,
  program: FoundProgram,
  signal: AbortSignal | undefined,
): Promise<void> {
  const version = await readVersion(answers, program, signal);
  const problem = version && versionProblem(version, program);
  if (!problem) return;
  answers.forget(program);
  throw new InterlinguaError("agent_version", problem);
}
