/** OpenCode without its process. */
import type { AgentProtocol } from "../transport/agent-protocol.ts";
import type { OpenCodeState } from "./conversation-state.ts";
import { decodeCommands } from "./decode-commands.ts";
import { CAPABILITIES, NAME } from "./manifest.ts";
import { isServerGone, outbound } from "./outbound.ts";

export const protocol: AgentProtocol<OpenCodeState> = {
  name: NAME,
  capabilities: CAPABILITIES,
  translator: outbound,
  decodeCommands,
  confirmsAnswers: true,
  tellsExit: isServerGone,
};
