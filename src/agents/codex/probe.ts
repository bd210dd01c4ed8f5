/** Probes Codex without a network: is it installed, which version, is somebody signed in. */
import { z } from "zod";
import type { AgentStatus } from "../../core/capability.ts";
import type { FoundProgram } from "../../core/program.ts";
import { probeProgram, versionProblem } from "../transport/agent-program.ts";
import type { AgentResources } from "../transport/define-protocol.ts";
import { findProgram, INSTALL_COMMAND, signInRemedy, VERSIONS } from "./program.ts";
import type { CodexServer } from "./server.ts";
import type { CodexServers } from "./servers.ts";

const modelsSchema = z.looseObject({
  data: z.array(z.looseObject({ id: z.string(), displayName: z.string().optional() })),
});

/** A list of agents does not wait as long as a session does. */
const PROBE_MS = 30_000;

/** Never rejects. Uses a running Codex, or starts one for a moment. */
export function probe({ programs, shared: servers }: AgentResources<CodexServers>): Promise<AgentStatus> {
  return probeProgram(findProgram(programs), async (program) => {
    const signal = AbortSignal.timeout(PROBE_MS);
    try {
      const { resource: server, release } = await servers.acquire(program, { signal });
      return await look(server, program).finally(release);
    } catch (error) {
      const reason = signal.aborted
        ? `it did not answer within ${PROBE_MS / 1000} seconds`
        : (error as Error).message.replace(/\.$/, "");
      return {
        installed: false,
        remedy: `${program.command} is no Codex we can use: ${reason}. Run \`${INSTALL_COMMAND}\`.`,
      };
    }
  });
}

async function look(server: CodexServer, program: FoundProgram): Promise<AgentStatus> {
  const { version, isSignedIn } = server;
  const problem = versionProblem(VERSIONS, version, program);
  if (problem) return { installed: true, version, remedy: problem };
  const models = await readModels(server);
  if (isSignedIn) return { installed: true, version, signedIn: true, models };
  const remedy = `Nobody is signed in. ${signInRemedy(program)}`;
  return { installed: true, version, signedIn: false, models, remedy };
}

async function readModels(server: CodexServer): Promise<AgentStatus["models"]> {
  const read = modelsSchema.safeParse(await server.call("model/list"));
  return read.data?.data.map(({ id, displayName }) => ({ id, name: displayName }));
}
