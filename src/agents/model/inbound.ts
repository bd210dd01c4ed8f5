/** Commands → lines to the agent's program. Pure. */
import type { AgentSettings } from "../../core/adapter.ts";
import { assertOffered } from "../../core/offered-settings.ts";
import { promptText } from "../../core/prompt-part.ts";
import { withoutPreface } from "../../core/prompt-preface.ts";

import { createOwnInbound } from "../own-wire/inbound.ts";
import { permissionsOf } from "../own-wire/vocabulary.ts";
import { settleModes } from "../transport/shared-modes.ts";
import type { Encoder } from "../transport/translator.ts";
import type { ModelState } from "./conversation-state.ts";
import { PERMISSIONS, SETTINGS } from "./manifest.ts";
import type { OpenParams, WireConfiguration, WireEffort } from "./wire.ts";

/** The encoder of one session; what it is opened with goes into the first line. */
export function createInbound(title: string, params: OpenParams): Encoder<ModelState> {
  return createOwnInbound({
    title,
    hasTasks: false,
    openParams: () => params,
    configuration: (wanted) => toWireConfiguration(title, wanted),
    answer: (effect) => ({ effect }),
    promptTitle: (parts) => promptTitle(withoutPreface(promptText(parts))),
  });
}

/** Throws for what the agent does not have. */
export function toWireConfiguration(title: string, wanted: AgentSettings): Partial<WireConfiguration> {
  const { model, permissionMode, settings } = settleModes(title, wanted);
  assertOffered(title, SETTINGS, settings);
  const permissions = permissionsOf(title, PERMISSIONS, permissionMode);
  return { model, permissions, effort: settings?.effort as WireEffort | undefined };
}

const MAX_TITLE_LENGTH = 60;
/** Of a line, in which a title is looked for. */
const MAX_LINE_LENGTH = 1000;

/** The first line that says something; undefined where none does. */
function promptTitle(text: string): string | undefined {
  const [first = ""] = text
    .trimStart()
    .slice(0, MAX_LINE_LENGTH)
    .split(/[\r\n]/, 1);
  const characters = [...first.replaceAll(/[\s\p{C}]+/gu, " ").trim()];
  if (characters.length <= MAX_TITLE_LENGTH) return characters.join("") || undefined;
  return `${characters
    .slice(0, MAX_TITLE_LENGTH - 1)
    .join("")
    .trimEnd()}…`;
}
