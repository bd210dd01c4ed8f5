/** Whether Amp can be given what somebody chose, as far as its program tells. */
import type { AgentSettings } from "../../core/adapter.ts";
import type { AgentResources } from "../transport/define-protocol.ts";
import { assertModelFlag } from "./manifest.ts";
import { findProgram, readFlags } from "./program.ts";

export async function settle(
  wanted: AgentSettings,
  { programs, answers }: AgentResources,
): Promise<AgentSettings> {
  if (wanted.model === undefined) return wanted;
  const program = await findProgram(programs).catch(() => undefined);
  // Without a program its start tells what is missing.
  if (program) assertModelFlag(await readFlags(answers, program));
  return wanted;
}
