/** Commands → the mock's lines. Pure. */
import type { AgentSettings, ConnectOptions } from "../../core/adapter.ts";
import type { AskEffect } from "../../core/ask.ts";
import { assertOffered } from "../../core/offered-settings.ts";

import { createOwnInbound } from "../own-wire/inbound.ts";
import { permissionsOf } from "../own-wire/vocabulary.ts";
import { requireResumeId } from "../transport/resume-id.ts";
import type { Encoder } from "../transport/translator.ts";
import type { MockState } from "./conversation-state.ts";
import { NAME, PERMISSIONS, SETTINGS, TITLE } from "./manifest.ts";
import { type OpenParams, WIRE_VERSION, type WireConfiguration, type WireMeaning } from "./wire.ts";

const MEANINGS: Readonly<Partial<Record<AskEffect, WireMeaning>>> = {
  once: "allow",
  always: "allow-always",
  reject: "deny",
  "reject-always": "deny",
};

/** The encoder of one session; what it was connected with goes into the first line. */
export function createInbound(options: ConnectOptions, pace: number | undefined): Encoder<MockState> {
  return createOwnInbound({
    title: TITLE,
    hasTasks: true,
    openParams: () => openParams(options, pace),
    configuration,
    answer: (effect) => ({ meaning: effect && MEANINGS[effect] }),
  });
}

function openParams(options: ConnectOptions, pace: number | undefined): OpenParams {
  return {
    wire: WIRE_VERSION,
    conversation: requireResumeId(TITLE, options),
    configuration: configuration(options),
    pace,
    secretNames: Object.keys(options.environment ?? {}),
  };
}

function configuration(wanted: AgentSettings): Partial<WireConfiguration> {
  const { model, mode, permissionMode, settings } = wanted;
  const permissions = permissionsOf(TITLE, PERMISSIONS, permissionMode);
  assertOffered(NAME, SETTINGS, settings);
  return { model, mode, permissions, effort: settings?.effort as string | undefined };
}
