/** Probes OpenCode without a network: is it installed, and which version. */
import type { AgentStatus } from "../../core/capability.ts";
import { probeProgram, readVersion, versionProblem } from "../transport/agent-program.ts";
import type { AgentMeans } from "../transport/define-protocol.ts";
import { ProgramAnswers } from "../transport/program-answers.ts";
import { findProgram, INSTALL_COMMAND, VERSIONS } from "./program.ts";

/** Never rejects. Whether somebody is signed in depends on the provider, and so on the model of a session. */
export function probe({ processHost, programs }: AgentMeans): Promise<AgentStatus> {
  return probeProgram(findProgram(programs), async (program) => {
    try {
      const version = await readVersion(new ProgramAnswers(processHost), program);
      if (version === undefined) {
        const remedy = `${program.command} does not say which OpenCode it is. Run \`${INSTALL_COMMAND}\`.`;
        return { installed: false, remedy };
      }
      return { installed: true, version, remedy: versionProblem(VERSIONS, version, program) };
    } catch (error) {
      return { installed: false, remedy: `${(error as Error).message}. Run \`${INSTALL_COMMAND}\`.` };
    }
  });
}
