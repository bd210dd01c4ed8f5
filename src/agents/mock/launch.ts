/** How the mock's program is started: a script of our own, run by the Node that runs us. */
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { ConnectOptions } from "../../core/adapter.ts";
import type { Launch } from "../transport/open-child-session.ts";
import { ENVIRONMENT_KEYS } from "./manifest.ts";

/** TypeScript in the repository, JavaScript in the published package. */
const PROGRAM = fileURLToPath(new URL(`./program/main${extname(import.meta.url)}`, import.meta.url));

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
