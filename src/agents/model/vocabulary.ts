/** Values of the agent's protocol mapped to ours. */
import type { AskOption } from "../../core/ask.ts";
import type { TurnOutcome } from "../../core/event.ts";
import type { Setting } from "../../core/setting.ts";
import { inMode } from "../transport/shared-modes.ts";
import { EFFORTS } from "./manifest.ts";
import type { TurnEnding, WireConfiguration, WireOption } from "./wire.ts";

const OUTCOMES: Readonly<Record<TurnEnding, TurnOutcome>> = {
  done: "completed",
  cancelled: "interrupted",
  failed: "failed",
  refused: "refused",
  limit: "limit",
};

export function outcomeOf(reason: TurnEnding): TurnOutcome {
  return OUTCOMES[reason] ?? "completed";
}

/** An "always" holds for the session: the log is where it is remembered. */
export function toOption({ id, label, effect, covers }: WireOption): AskOption {
  return { id, label, effect, ...(effect === "always" && { storedIn: "session", covers }) };
}

export function fromWireConfiguration({ model, permissions, effort }: Partial<WireConfiguration>) {
  const settings = effort === undefined ? undefined : [effortSetting(effort)];
  return { model, ...inMode(permissions), settings };
}

function effortSetting(value: string): Setting {
  return { id: "effort", name: "Effort", category: "thought_level", value, choices: EFFORTS };
}
