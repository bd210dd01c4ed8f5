/** What ACP agents can do in general. What a single agent can do, it says when it starts. */
import type { BackendCapabilities } from "../../core/capability.ts";

export const NAME = "acp";

export const CAPABILITIES: BackendCapabilities = {
  streaming: true,
  permissions: true,
  questions: true,
  slashCommands: true,
  // Agents queue a second prompt, abort the first, reject it or lose one of the two.
  steer: false,
  reportsSteering: false,
  fork: false,
  resume: true,
  rewind: false,
  images: true,
  setModel: true,
  modes: [],
  moreModes: true,
  permissionModes: [],
  availability: "local",
};
