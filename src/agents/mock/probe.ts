/** Probes the mock, which is always there. */
import type { AgentStatus } from "../../core/capability.ts";
import { MODELS, VERSION } from "./manifest.ts";

export async function probe(): Promise<AgentStatus> {
  const models = MODELS.map(({ id, name }) => ({ id, name }));
  return { installed: true, version: VERSION, signedIn: true, models };
}
