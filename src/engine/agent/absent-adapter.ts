/** Stands for an agent this daemon does not know, so that its sessions can still be read, closed and deleted. */
import type { BackendAdapter } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";

export function absentAdapter(name: string, agents: readonly string[]): BackendAdapter {
  return {
    name,
    capabilities: {
      streaming: false,
      permissions: false,
      questions: false,
      slashCommands: false,
      steer: false,
      reportsSteering: false,
      fork: false,
      resume: false,
      rewind: false,
      images: false,
      setModel: false,
      modes: [],
      moreModes: true,
      permissionModes: [],
      availability: "local",
    },
    environmentKeys: [],
    probe: () => Promise.resolve({ installed: false }),
    release: () => Promise.resolve(),
    async connect() {
      const detail = `This daemon does not know the agent "${name}" any more. It knows: ${agents.join(", ")}.`;
      throw new InterlinguaError("agent_not_found", detail, { agents });
    },
  };
}
