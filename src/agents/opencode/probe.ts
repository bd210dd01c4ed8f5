/** What can be known of OpenCode on this machine without a network: is it there, and which one. */
import type { AgentStatus } from "../../core/capability.ts";
import type { Programs } from "../../core/program.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import { probeProgram, readVersion } from "../transport/agent-program.ts";
import { ProgramAnswers } from "../transport/program-answers.ts";
import { findProgram, INSTALL_COMMAND, versionProblem } from "./program.ts";

export interface ProbeOptions {
  readonly processHost: ProcessHost;
  readonly programs: Programs;
}

/** Never rejects. Whether somebody is signed in depends on the provider, and so on the model of a session. */
export function probe({ processHost, programs }: ProbeOptions): Promise<AgentStatus> {
  return probeProgram(findProgram(programs), async (program) => {
    try {
      const version = await readVersion(new ProgramAnswers(processHost), program);
      if (version === undefined) {
        const remedy = `${program.command} does not say which OpenCode it is. Run \`${INSTALL_COMMAND}\`.`;
        return { installed: false, remedy };
      }
      const problem = versionProblem(version, program);
      return { installed: true, version, ...(problem !== undefined && { remedy: problem }) };
    } catch (error) {
      return { installed: false, remedy: `${(error as Error).message}. Run \`${INSTALL_COMMAND}\`.` };
    }
  });
}
