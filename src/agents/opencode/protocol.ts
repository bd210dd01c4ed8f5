/** OpenCode: an open source agent, run as one server for all sessions that use the same provider and environment. */
import { defineProtocol } from "../transport/define-protocol.ts";
import { decodeCommands } from "./decode-commands.ts";
import { CAPABILITIES, ENVIRONMENT_KEYS, NAME } from "./manifest.ts";
import { memory } from "./memory.ts";
import { open } from "./open.ts";
import { optionsSchema } from "./options.ts";
import { isServerGone, outbound } from "./outbound.ts";
import { probe } from "./probe.ts";
import { PROGRAM, TITLE } from "./program.ts";
import { OpenCodeServers } from "./servers.ts";

export const protocol = defineProtocol({
  name: NAME,
  title: TITLE,
  capabilities: CAPABILITIES,
  environmentKeys: ENVIRONMENT_KEYS,
  program: PROGRAM,
  optionsSchema,
  settings: [],
  translator: outbound,
  decodeCommands,
  confirmsAnswers: true,
  tellsExit: isServerGone,
  share: (means) => new OpenCodeServers(means),
  probe,
  open,
  memory,
});
