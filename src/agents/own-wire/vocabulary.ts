/** Values of the wire mapped to ours, and the differences between the two agents that speak it. */
import type { AgentSettings } from "../../core/adapter.ts";
import type { AskEffect, AskOption } from "../../core/ask.ts";
import { type PermissionMode, permissionModeSchema } from "../../core/capability.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { TurnOutcome } from "../../core/event.ts";
import type { Setting } from "../../core/setting.ts";
import type { OwnConfiguration, TurnEnding, WireMeaning, WireOption } from "./wire.ts";

/** The translator reads two agents, which differ in this. */
export interface OwnVocabulary {
  /** Whether it begins turns by itself, or for a prompt that was to steer a turn and came too late. */
  readonly beginsTurns: boolean;
  readonly efforts: NonNullable<Setting["choices"]>;
  /** The mode and permission mode that a configuration names. */
  modesOf(configuration: Partial<OwnConfiguration>): Pick<AgentSettings, "mode" | "permissionMode">;
}

const OUTCOMES: Readonly<Record<TurnEnding, TurnOutcome>> = {
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

export function outcomeOf(reason: TurnEnding): TurnOutcome {
  return OUTCOMES[reason] ?? "completed";
}

/** An "always" holds for the session, and nowhere else. */
export function toOption({ id, label, effect: named, meaning, covers, tools }: WireOption): AskOption {
  const effect = named ?? EFFECTS[meaning!] ?? "other";
  return { id, label, effect, ...(effect === "always" && { storedIn: "session", covers: covers ?? tools }) };
}

export function fromWireConfiguration(
  { efforts, modesOf }: OwnVocabulary,
  configuration: Partial<OwnConfiguration>,
) {
  const { model, effort } = configuration;
  const settings: Setting[] | undefined =
    effort === undefined
      ? undefined
      : [{ id: "effort", name: "Effort", category: "thought_level", value: effort, choices: efforts }];
  return { model, ...modesOf(configuration), settings };
}

/** The permission mode in the agent's word. Throws for one it does not have. */
export function permissionsOf<Word>(
  title: string,
  words: Readonly<Record<PermissionMode, Word>>,
  name: string | undefined,
): Word | undefined {
  if (name === undefined) return undefined;
  const known = permissionModeSchema.safeParse(name);
  if (known.success) return words[known.data];
  const names = Object.keys(words).join(", ");
  throw new InterlinguaError(
    "unsupported",
    `${title} has no permission mode "${name}"; use one of ${names}.`,
  );
}
