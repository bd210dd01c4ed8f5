/** Probes Claude Code without a network: is it installed, which version, is somebody signed in. */
import { z } from "zod";
import type { AgentStatus } from "../../core/capability.ts";
import type { FoundProgram } from "../../core/program.ts";
import { probeProgram, readVersion, versionProblem } from "../transport/agent-program.ts";
import type { AgentMeans } from "../transport/define-protocol.ts";
import { ProgramAnswers } from "../transport/program-answers.ts";
import { runProgram } from "../transport/run-program.ts";
import { ENVIRONMENT_KEYS, ownVariables } from "./environment.ts";
import { findProgram, INSTALL_COMMAND, signInRemedy, VERSIONS } from "./program.ts";

type ProbeMeans = Pick<AgentMeans, "processHost" | "programs" | "environment">;

const authSchema = z.looseObject({ loggedIn: z.boolean() });

/** Never rejects. */
export function probe(means: ProbeMeans): Promise<AgentStatus> {
  return probeProgram(findProgram(means.programs), async (program) => {
    try {
      const version = await readVersion(new ProgramAnswers(means.processHost), program);
      if (version === undefined) return notClaude(program);
      const problem = versionProblem(VERSIONS, version, program);
      if (problem !== undefined) return { installed: true, version, remedy: problem };
      const signedIn = await isSignedIn(means, program);
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
  { processHost, environment }: ProbeMeans,
  { command, args }: FoundProgram,
): Promise<boolean | undefined> {
  const { output } = await runProgram(processHost, {
    command,
    args: [...args, "auth", "status", "--json"],
    keys: ENVIRONMENT_KEYS,
    environment: ownVariables(environment()),
  });
  try {
    return authSchema.parse(JSON.parse(output)).loggedIn;
  } catch {
    return undefined;
  }
}
