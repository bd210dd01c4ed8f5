/** Claude Code: Anthropic's command line agent, run as one process for each session. */
import { defineProtocol } from "../transport/define-protocol.ts";
import { decodeCommands } from "./decode-commands.ts";
import { SETTINGS } from "./effort-setting.ts";
import { ENVIRONMENT_KEYS } from "./environment.ts";
import { CAPABILITIES, NAME, settle } from "./manifest.ts";
import { memory } from "./memory.ts";
import { open } from "./open.ts";
import { optionsSchema } from "./options.ts";
import { outbound } from "./outbound.ts";
import { probe } from "./probe.ts";
import { PROGRAM, TITLE } from "./program.ts";

export const protocol = defineProtocol({
  name: NAME,
  title: TITLE,
  capabilities: CAPABILITIES,
  environmentKeys: ENVIRONMENT_KEYS,
  program: PROGRAM,
  rewindsByFork: true,
  optionsSchema,
  settings: SETTINGS,
  settle,
  translator: outbound,
  decodeCommands,
  probe,
  open,
  memory,
});
