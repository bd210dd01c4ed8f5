/** What Amp is and can do, in our words and in its own. */
import type { BackendCapabilities } from "../../core/capability.ts";

export const NAME = "amp";

/** Its keys, and where its server is. */
export const ENVIRONMENT_KEYS = ["AMP_*"];

/**
 * Amp has no way to ask: where its rules say so, it ends the turn. `default` leaves it to these rules, `bypass`
 * allows all.
 */
export const CAPABILITIES: BackendCapabilities = {
  streaming: false,
  permissions: false,
  questions: false,
  slashCommands: false,
  steer: false,
  reportsSteering: false,
  fork: false,
  resume: true,
  rewind: false,
  images: false,
  setModel: false,
  modes: ["low", "medium", "high", "ultra"],
  permissionModes: ["default", "bypass"],
  availability: "local",
};
