/** Any agent that speaks the Agent Client Protocol over its pipes, run as one process for each session. */
import type { AgentOutput, BackendAdapter, BackendSession, ConnectOptions } from "../../core/adapter.ts";
import type { Programs } from "../../core/program.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import { extendSession } from "../transport/extend-session.ts";
import { openChildSession } from "../transport/open-child-session.ts";
import { type AcpAgent, presetOf } from "./agent.ts";
import { ClientServices } from "./client-services.ts";
import { type AcpConnection, readConnection } from "./connection.ts";
import { explainFailure } from "./explain-failure.ts";
import { createInbound } from "./inbound.ts";
import { launch } from "./launch.ts";
import { CAPABILITIES } from "./manifest.ts";
import { createOutbound, outbound } from "./outbound.ts";
import { probe } from "./probe.ts";
import { findProgram } from "./program.ts";

/** Agents that look around first have been seen to take a minute. */
const OPENING_TIMEOUT_MS = 100_000;

export interface AcpAdapterOptions {
  readonly agent: AcpAgent;
  readonly processHost: ProcessHost;
  readonly programs: Programs;
  /** The environment its processes begin with. Secret: for looking, not for logging. */
  environment(): NodeJS.ProcessEnv;
  /** Runs the probes of all agents one after the other; at once when absent. */
  inTurn?<Result>(work: () => Promise<Result>): Promise<Result>;
  /** How long it may take until it is ready. */
  readonly openingTimeoutMs?: number;
}

export function createAcpAdapter(options: AcpAdapterOptions): BackendAdapter {
  const { agent, processHost, programs, openingTimeoutMs = OPENING_TIMEOUT_MS, inTurn = atOnce } = options;
  const capabilities = { ...CAPABILITIES, ...agent.capabilities };
  // One from the config is replayed by the name of the protocol, so nothing of it may depend on the config.
  const translator = presetOf(agent) ? createOutbound(agent) : outbound;
  return {
    name: agent.name,
    capabilities,
    environmentKeys: agent.environmentKeys,
    program: presetOf(agent),
    probe: () => probe({ agent, processHost, programs, inTurn }),
    release: (sessionId) => processHost.endSession(sessionId),
    connect: async (connect) => {
      const connection = withKeyMethod(readConnection(agent.title, connect), connect, options);
      const program = await findProgram(agent, programs);
      const { cwd, sessionId } = connect;
      const services = new ClientServices(connection, { processHost, sessionId, cwd });
      try {
        const session = await extendSession(capabilities, (observe) =>
          openChildSession({
            agent: agent.name,
            processHost,
            launch: launch(agent, program, connect),
            translator,
            encoder: createInbound(connection),
            timeoutMs: openingTimeoutMs,
            observe(output) {
              observe(output);
              if (isExit(output)) void services.close().catch(() => {});
            },
            serve: (state, send) => services.serve(state, send),
          }),
        );
        return { ...session, close: (options) => closeAll(session, services, options) };
      } catch (error) {
        await services.close();
        throw explainFailure(error, agent);
      }
    },
  };
}

function atOnce<Result>(work: () => Promise<Result>): Promise<Result> {
  return work();
}

function isExit({ raw }: AgentOutput): boolean {
  return raw.direction === "process" && raw.data.event === "exit";
}

/** What the agent runs through us is the agent's own and goes with it, unless what it started is to live on. */
async function closeAll(
  session: BackendSession,
  services: ClientServices,
  options: { keepChildren?: boolean } = {},
): Promise<void> {
  await session.close(options);
  if (!options.keepChildren) await services.close();
}

/** Where the agent wants to be signed in and there is a key for it, it is told to take that. */
function withKeyMethod(
  connection: AcpConnection,
  connect: ConnectOptions,
  { agent, environment }: AcpAdapterOptions,
): AcpConnection {
  if (connection.authMethod !== undefined) return connection;
  const variables = { ...environment(), ...connect.environment };
  const known = agent.keyMethods?.find(({ variable }) => variables[variable]);
  return known ? { ...connection, authMethod: known.method } : connection;
}
