/** Probes Amp without a network: is it installed, which version, is there a key. */
import type { AgentStatus } from "../../core/capability.ts";
import { InterlinguaError } from "../../core/error.ts";
import { probeProgram, readVersion } from "../transport/agent-program.ts";
import type { AgentMeans } from "../transport/define-protocol.ts";
import { ProgramAnswers } from "../transport/program-answers.ts";
import { findProgram, INSTALL_COMMAND, readFlags } from "./program.ts";

type ProbeMeans = Pick<AgentMeans, "processHost" | "programs" | "environment">;

/** Never rejects. Without a key somebody may still have signed in with `amp login`: that is not known. */
export function probe({ processHost, programs, environment }: ProbeMeans): Promise<AgentStatus> {
  return probeProgram(findProgram(programs), async (program) => {
    try {
      const answers = new ProgramAnswers(processHost);
      const version = await readVersion(answers, program);
      await readFlags(answers, program);
      return { installed: true, version, signedIn: environment().AMP_API_KEY ? true : undefined };
    } catch (error) {
      const { message } = error as Error;
      // The message of `agent_version` already says what to do.
      const isExplained = InterlinguaError.isInstance(error) && error.code === "agent_version";
      return { installed: false, remedy: isExplained ? message : `${message}. Run \`${INSTALL_COMMAND}\`.` };
    }
  });
}
