/** How the mock's program is started: a script of our own, run by the Node that runs us. */
import type { ConnectOptions } from "../../core/adapter.ts";
import { ownProgram } from "../../package-root.ts";
import type { Launch } from "../transport/open-child-session.ts";
import { ENVIRONMENT_KEYS } from "./manifest.ts";

const PROGRAM = ownProgram("agents/mock/program/main");

export function launch(options: ConnectOptions, stateDirectory: string): Launch {
  return {
    command: process.execPath,
    args: [PROGRAM, stateDirectory],
    cwd: options.cwd,
    sessionId: options.sessionId,
    keys: ENVIRONMENT_KEYS,
    environment: options.environment,
  };
}
