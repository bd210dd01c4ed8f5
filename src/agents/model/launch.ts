/** How the agent's program is started: a script of our own, run by the Node that runs us. */
import type { ConnectOptions } from "../../core/adapter.ts";
import { ownProgram } from "../../package-root.ts";
import type { Launch } from "../transport/open-child-session.ts";
import { OWN_VARIABLES } from "./manifest.ts";

const PROGRAM = ownProgram("agents/model/program/main");

/**
 * Keys of models' services are neither among the arguments nor in the environment, which the commands it runs could read
 * from `/proc`. `access` are the names of those variables.
 */
export function launch(
  { cwd, sessionId, environment = {} }: ConnectOptions,
  access: readonly string[],
): Launch {
  const others = Object.entries(environment).filter(([name]) => !access.includes(name));
  return {
    command: process.execPath,
    args: [PROGRAM],
    cwd,
    sessionId,
    keys: OWN_VARIABLES,
    environment: Object.fromEntries(others),
  };
}
