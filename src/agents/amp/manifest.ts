/** What Amp is and can do, in our words and in its own. */
import type { BackendCapabilities } from "../../core/capability.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { AmpFlags } from "./help.ts";
import { nativeMode } from "./vocabulary.ts";

export const NAME = "amp";

export const MODEL_FLAG = "--model";

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
  moreModes: true,
  permissionModes: ["default", "bypass"],
  availability: "local",
};

/** The mode as this program calls it. Throws `unsupported` when it has nothing like it. */
export function requireMode(wanted: string, offered: readonly string[]): string {
  const mode = nativeMode(wanted, offered);
  if (mode !== undefined) return mode;
  throw new InterlinguaError(
    "unsupported",
    `This Amp has no mode "${wanted}"; it has ${offered.join(", ") || "none"}.`,
  );
}

export function assertPermissionMode(wanted: string): void {
  const known: readonly string[] = CAPABILITIES.permissionModes;
  if (known.includes(wanted)) return;
  throw new InterlinguaError(
    "unsupported",
    `Amp has no permission mode "${wanted}"; use one of ${known.join(", ")}.`,
  );
}

/** Only versions that say so in their `--help` take a model. */
export function assertModelFlag({ names }: AmpFlags): void {
  if (names.has(MODEL_FLAG)) return;
  throw new InterlinguaError(
    "unsupported",
    "This Amp chooses its models by itself; leave `model` out and choose a `mode` instead.",
  );
}
