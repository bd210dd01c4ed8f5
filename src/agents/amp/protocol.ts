/** Amp: the agent of Sourcegraph, run as one process for each turn. */
import { defineProtocol } from "../transport/define-protocol.ts";
import { decodeCommands } from "./decode-commands.ts";
import { CAPABILITIES, ENVIRONMENT_KEYS, NAME } from "./manifest.ts";
import { open } from "./open.ts";
import { optionsSchema } from "./options.ts";
import { outbound } from "./outbound.ts";
import { probe } from "./probe.ts";
import { PROGRAM, TITLE } from "./program.ts";
import { settle } from "./settle.ts";

export const protocol = defineProtocol({
  name: NAME,
  title: TITLE,
  capabilities: CAPABILITIES,
  environmentKeys: ENVIRONMENT_KEYS,
  program: PROGRAM,
  optionsSchema,
  settings: [],
  settle,
  translator: outbound,
  decodeCommands,
  processPerTurn: true,
  probe,
  open,
});
