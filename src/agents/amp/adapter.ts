/** Amp: the agent of Sourcegraph, run as one process for each turn. */
import { z } from "zod";
import type { BackendAdapter, BackendSession } from "../../core/adapter.ts";
import { assertOffered } from "../../core/offered-settings.ts";
import type { Programs } from "../../core/program.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import { readVersion } from "../transport/agent-program.ts";
import { extendSession } from "../transport/extend-session.ts";
import { ProgramAnswers } from "../transport/program-answers.ts";
import { readOptions } from "../transport/read-options.ts";
import { TurnProcessSession } from "../transport/turn-process-session.ts";
import { createInbound } from "./inbound.ts";
import {
  assertModelFlag,
  assertPermissionMode,
  CAPABILITIES,
  ENVIRONMENT_KEYS,
  NAME,
  requireMode,
} from "./manifest.ts";
import { writeMcpFile } from "./mcp-file.ts";
import { outbound } from "./outbound.ts";
import { probe } from "./probe.ts";
import { findProgram, PROGRAM, readFlags } from "./program.ts";
import { threadToResume } from "./resume.ts";

/** It has no settings that are not its own. */
const NO_OPTIONS = z.strictObject({});

export interface AmpAdapterOptions {
  readonly processHost: ProcessHost;
  readonly programs: Programs;
  /** Gives the directory for the files its processes are started with. */
  readonly stateDirectory: () => string;
  /** The environment its processes begin with. Secret: for looking, not for logging. */
  environment(): NodeJS.ProcessEnv;
  /** How long a process may take until it begins to work. */
  readonly startTimeoutMs?: number;
}

export function createAmpAdapter(options: AmpAdapterOptions): BackendAdapter {
  const { processHost, programs, startTimeoutMs } = options;
  const answers = new ProgramAnswers(processHost);
  return {
    name: NAME,
    capabilities: CAPABILITIES,
    environmentKeys: ENVIRONMENT_KEYS,
    program: PROGRAM,
    probe: () => probe({ processHost, programs, environment: options.environment() }),
    release: (sessionId) => processHost.endSession(sessionId),
    settle: async (wanted) => {
      assertOffered("Amp", [], wanted.settings);
      if (wanted.model === undefined) return wanted;
      const program = await findProgram(programs).catch(() => undefined);
      // Without a program its start tells what is missing.
      if (program) assertModelFlag(await readFlags(answers, program));
      return wanted;
    },
    connect: async (connect) => {
      readOptions("Amp", NO_OPTIONS, connect);
      const thread = threadToResume(connect);
      const program = await findProgram(programs);
      const version = await readVersion(answers, program, connect.signal);
      const flags = await readFlags(answers, program, connect.signal);
      if (connect.model !== undefined) assertModelFlag(flags);
      if (connect.mode !== undefined) requireMode(connect.mode, flags.modes);
      if (connect.permissionMode !== undefined) assertPermissionMode(connect.permissionMode);
      const mcpFile = writeMcpFile(options.stateDirectory(), connect);
      const encoder = createInbound({ connect, program, flags, mcpFile: mcpFile?.path });
      const opening = JSON.stringify({ kind: "opening", msg: { version, modes: flags.modes, thread } });
      return extendSession(CAPABILITIES, async (observe) => {
        const { sessionId } = connect;
        const common = { agent: NAME, sessionId, processHost, translator: outbound, opening, encoder };
        const session = new TurnProcessSession({ ...common, observe, startTimeoutMs });
        return closing(session, () => mcpFile?.remove());
      });
    },
  };
}

/** Something else goes with the session. */
function closing(session: BackendSession, finish: () => void): BackendSession {
  return {
    sessionId: session.sessionId,
    messages: session.messages,
    send: (command) => session.send(command),
    close: (options) => session.close(options).finally(finish),
  };
}
