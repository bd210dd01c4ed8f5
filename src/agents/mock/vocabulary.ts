/** Values of the mock mapped to ours. */
import type { AskEffect, AskOption } from "../../core/ask.ts";
import type { TurnOutcome } from "../../core/event.ts";
import type { Setting } from "../../core/setting.ts";
import { EFFORTS, PERMISSIONS } from "./manifest.ts";
import type { FinishReason, WireConfiguration, WireMeaning, WireOption, WirePermissions } from "./wire.ts";

const OUTCOMES: Readonly<Record<FinishReason, TurnOutcome>> = {
  done: "completed",
  cancelled: "interrupted",
  failed: "failed",
  refused: "refused",
  limit: "limit",
};

const EFFECTS: Readonly<Record<WireMeaning, AskEffect>> = {
  allow: "once",
  "allow-always": "always",
  deny: "reject",
};

export function outcomeOf(reason: FinishReason): TurnOutcome {
  return OUTCOMES[reason] ?? "completed";
}

/** An "always" is kept in the mock's own file of the conversation, and nowhere else. */
export function toOption({ id, label, meaning, tools }: WireOption): AskOption {
  const effect = EFFECTS[meaning] ?? "other";
  return { id, label, effect, ...(effect === "always" && { storedIn: "session", covers: tools }) };
}

export function fromWireConfiguration({ model, mode, permissions, effort }: Partial<WireConfiguration>) {
  const settings = effort === undefined ? undefined : [effortSetting(effort)];
  return { model, mode, permissionMode: permissionModeOf(permissions), settings };
}

function effortSetting(value: string): Setting {
  return { id: "effort", name: "Effort", category: "thought_level", value, choices: EFFORTS };
}

export function permissionModeOf(permissions: WirePermissions | undefined): string | undefined {
  return Object.entries(PERMISSIONS).find(([, native]) => native === permissions)?.[0];
}
