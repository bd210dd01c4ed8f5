/** What a session with Amp is opened with: no process yet, each turn starts one. */
import type { FoundProgram } from "../../core/program.ts";
import { readVersion } from "../transport/agent-program.ts";
import type { OpenOptions, TurnOpening } from "../transport/define-protocol.ts";
import type { AmpState } from "./conversation-state.ts";
import { createInbound } from "./inbound.ts";
import { assertModelFlag, assertPermissionMode, requireMode } from "./manifest.ts";
import { writeMcpFile } from "./mcp-file.ts";
import { findProgram, readFlags } from "./program.ts";
import { threadToResume } from "./resume.ts";

export async function open(session: OpenOptions<object>): Promise<TurnOpening<AmpState>> {
  const { connect, programs, answers, directory } = session;
  const thread = threadToResume(connect);
  const program = await findProgram(programs);
  const version = await readVersion(answers, program, connect.signal);
  const flags = await readFlags(answers, program, connect.signal);
  if (connect.model !== undefined) assertModelFlag(flags);
  if (connect.mode !== undefined) requireMode(connect.mode, flags.modes);
  if (connect.permissionMode !== undefined) assertPermissionMode(connect.permissionMode);
  const mcpFile = writeMcpFile(directory(), connect);
  return {
    turnEncoder: createInbound({ connect, program, flags, mcpFile: mcpFile?.path }),
    opening: JSON.stringify({
      kind: "opening",
      msg: { version, modes: flags.modes, thread, program: calledBy(program) },
    }),
    end: () => mcpFile?.remove(),
  };
}

/** By its path where it is not on the PATH. */
function calledBy({ from, command, args }: FoundProgram): string | undefined {
  return from === "path" ? undefined : [command, ...args].join(" ");
}
