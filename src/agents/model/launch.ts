/** How the agent's program is started: a script of our own, run by the Node that runs us. */
import type { ConnectOptions } from "../../core/adapter.ts";
import { ownProgram } from "../../package-root.ts";
import type { Launch } from "../transport/open-child-session.ts";

const PROGRAM = ownProgram("agents/model/program/main");

/** Keys of models' services are in the environment, never among the arguments. */
export function launch({ cwd, sessionId, environment }: ConnectOptions, keys: readonly string[]): Launch {
  return { command: process.execPath, args: [PROGRAM], cwd, sessionId, keys, environment };
}
