/** The mock agent: scripted, deterministic, needs nothing. The demo and the test double, run like a real agent. */
import { defineProtocol } from "../transport/define-protocol.ts";
import { decodeCommands } from "./decode-commands.ts";
import { CAPABILITIES, ENVIRONMENT_KEYS, NAME, SETTINGS, TITLE } from "./manifest.ts";
import { memory } from "./memory.ts";
import { open } from "./open.ts";
import { optionsSchema } from "./options.ts";
import { outbound } from "./outbound.ts";
import { probe } from "./probe.ts";

export const protocol = defineProtocol({
  name: NAME,
  title: TITLE,
  capabilities: CAPABILITIES,
  environmentKeys: ENVIRONMENT_KEYS,
  optionsSchema,
  settings: SETTINGS,
  translator: outbound,
  decodeCommands,
  probe,
  open,
  memory,
});
