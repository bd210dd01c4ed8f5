/** Codex: OpenAI's command line agent. Sessions with the same program and environment share one app-server. */
import { defineProtocol } from "../transport/define-protocol.ts";
import { decodeCommands } from "./decode-commands.ts";
import { CAPABILITIES, ENVIRONMENT_KEYS, NAME } from "./manifest.ts";
import { memory } from "./memory.ts";
import { open } from "./open.ts";
import { optionsSchema } from "./options.ts";
import { outbound } from "./outbound.ts";
import { probe } from "./probe.ts";
import { PROGRAM, TITLE } from "./program.ts";
import { CodexServers } from "./servers.ts";
import { SETTINGS } from "./thread-settings.ts";

export const protocol = defineProtocol({
  name: NAME,
  title: TITLE,
  capabilities: CAPABILITIES,
  environmentKeys: ENVIRONMENT_KEYS,
  program: PROGRAM,
  optionsSchema,
  settings: SETTINGS,
  translator: outbound,
  decodeCommands,
  share: (means) => new CodexServers(means),
  probe,
  open,
  memory,
});
