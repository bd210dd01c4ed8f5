/** The port of AgentSmithy, if the settings want one. */
import { realpathSync } from "node:fs";
import type { Logger } from "pino";
import type { AnyDialect } from "../../dialects/dialect.ts";
import type { DialectPort } from "../dialect-port/dialect-port.ts";
import { StatusFile, type StatusFileOptions } from "./status-file.ts";

const DIALECT = "agentsmithy";

export interface AgentsmithyPortOptions extends Pick<StatusFileOptions, "isRunningSince"> {
  agentsmithyPort?: number;
  /** Inside the allowed roots. */
  agentsmithyWorkspace?: string;
  agentsmithyKeepRunning: boolean;
  /** Of the whole daemon. The port gets half of them. */
  maxLiveAgents: number;
  /** The workspace of settings that name none. */
  cwd: string;
  dialects: readonly AnyDialect[];
  logger: Logger;
}

export function agentsmithyPorts(options: AgentsmithyPortOptions): DialectPort[] {
  const { agentsmithyPort: port, agentsmithyWorkspace, cwd, dialects, logger, isRunningSince } = options;
  if (port === undefined) return [];
  const dialect = dialects.find(({ name }) => name === DIALECT);
  if (!dialect) throw new Error(`--agentsmithy-port: there is no dialect "${DIALECT}".`);
  const workspace = realpathSync(agentsmithyWorkspace ?? cwd);
  const onError = (error: unknown) => logger.warn({ err: error }, "status.json could not be written");
  return [
    {
      dialect,
      port,
      workspace,
      caller: "agentsmithy-port",
      keepRunning: options.agentsmithyKeepRunning,
      maxAgentsAtWork: Math.max(1, Math.floor(options.maxLiveAgents / 2)),
      announcement: new StatusFile({ workspace, port, isRunningSince, onError }),
      explain: (error) => explainListenError(error, port),
    },
  ];
}

function explainListenError(error: NodeJS.ErrnoException, port: number): unknown {
  const explain = (message: string) => new Error(message, { cause: error });
  switch (error.code) {
    case "EADDRINUSE":
      return explain(
        `Port ${port} of localhost is in use. Stop what uses it, or choose another with --agentsmithy-port (0 picks one).`,
      );
    case "EACCES":
      return explain(
        `Port ${port} needs more rights than we have. Choose one above 1023 with --agentsmithy-port.`,
      );
    default:
      return error;
  }
}
