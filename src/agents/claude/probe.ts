/** What can be known of Claude Code on this machine without a network: is it there, which one, is somebody signed in. */
import { z } from "zod";
import type { AgentStatus } from "../../core/capability.ts";
import type { FoundProgram, Programs } from "../../core/program.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import { probeProgram, readVersion } from "../transport/agent-program.ts";
import { ProgramAnswers } from "../transport/program-answers.ts";
import { runProgram } from "../transport/run-program.ts";
import { ENVIRONMENT_KEYS } from "./environment.ts";
import { findProgram, INSTALL_COMMAND, signInRemedy, versionProblem } from "./program.ts";

export interface ProbeOptions {
  readonly processHost: ProcessHost;
  readonly programs: Programs;
  /** What the config adds to its environment. Secret. */
  readonly environment?: Readonly<Record<string, string>>;
}

const authSchema = z.looseObject({ loggedIn: z.boolean() });

/** Never rejects. */
export function probe(options: ProbeOptions): Promise<AgentStatus> {
  return probeProgram(findProgram(options.programs), async (program) => {
    try {
      const version = await readVersion(new ProgramAnswers(options.processHost), program);
      if (version === undefined) return notClaude(program);
      const problem = versionProblem(version, program);
      if (problem !== undefined) return { installed: true, version, remedy: problem };
      const signedIn = await isSignedIn(options, program);
      if (signedIn !== false) return { installed: true, version, signedIn };
      return { installed: true, version, signedIn, remedy: `Nobody is signed in. ${signInRemedy(program)}` };
    } catch (error) {
      return { installed: false, remedy: `${(error as Error).message}. Run \`${INSTALL_COMMAND}\`.` };
    }
  });
}

function notClaude({ command }: FoundProgram): AgentStatus {
  return {
    installed: false,
    remedy: `${command} does not say which Claude Code it is. Run \`${INSTALL_COMMAND}\`.`,
  };
}

/** Undefined when it does not tell. */
async function isSignedIn(
  { processHost, environment }: ProbeOptions,
  { command, args }: FoundProgram,
): Promise<boolean | undefined> {
  const { output } = await runProgram(processHost, {
    command,
    args: [...args, "auth", "status", "--json"],
    keys: ENVIRONMENT_KEYS,
    environment,
  });
  try {
    return authSchema.parse(JSON.parse(output)).loggedIn;
  } catch {
    return undefined;
  }
}
