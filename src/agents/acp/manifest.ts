/** What every ACP agent can do for us, in the protocol's words. What a single agent can, it says when it is started. */
import type { BackendCapabilities } from "../../core/capability.ts";

export const NAME = "acp";

export const CAPABILITIES: BackendCapabilities = {
  streaming: true,
  permissions: true,
  questions: true,
  slashCommands: true,
  // Agents queue a second prompt, abort the first, reject it or lose one of both.
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
