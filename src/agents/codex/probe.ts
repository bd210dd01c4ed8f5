/** What can be known of Codex on this machine without a network: is it there, which one, is somebody signed in. */
import { z } from "zod";
import type { AgentStatus } from "../../core/capability.ts";
import type { FoundProgram, Programs } from "../../core/program.ts";
import { probeProgram } from "../transport/agent-program.ts";
import type { CodexConnection } from "./connection.ts";
import { findProgram, INSTALL_COMMAND, signInRemedy, versionProblem } from "./program.ts";

export interface ProbeOptions {
  readonly programs: Programs;
  /** Uses a running Codex, or starts one for a moment. */
  withConnection<Result>(
    program: FoundProgram,
    use: (connection: CodexConnection) => Promise<Result>,
  ): Promise<Result>;
}

const modelsSchema = z.looseObject({
  data: z.array(z.looseObject({ id: z.string(), displayName: z.string().optional() })),
});

/** Never rejects. */
export function probe({ programs, withConnection }: ProbeOptions): Promise<AgentStatus> {
  return probeProgram(findProgram(programs), async (program) => {
    try {
      return await withConnection(program, async (connection) => {
        const { version, isSignedIn } = connection;
        const problem = versionProblem(version, program);
        if (problem) return { installed: true, version, remedy: problem };
        const models = await readModels(connection);
        if (isSignedIn) return { installed: true, version, signedIn: true, models };
        const remedy = `Nobody is signed in. ${signInRemedy(program)}`;
        return { installed: true, version, signedIn: false, models, remedy };
      });
    } catch (error) {
      const reason = (error as Error).message.replace(/\.$/, "");
      return {
        installed: false,
        remedy: `${program.command} is no Codex we can use: ${reason}. Run \`${INSTALL_COMMAND}\`.`,
      };
    }
  });
}

async function readModels(connection: CodexConnection): Promise<AgentStatus["models"]> {
  const read = modelsSchema.safeParse(await connection.call("model/list"));
  return read.data?.data.map(({ id, displayName }) => ({
    id,
    ...(displayName !== undefined && { name: displayName }),
  }));
}
