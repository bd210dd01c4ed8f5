/** What every agent's messages mean, without a process: for replay. Adding an agent is a line in it. */
import { PRESETS } from "./acp/presets.ts";
import { protocol as acp, protocolOf } from "./acp/protocol.ts";
import { protocol as amp } from "./amp/protocol.ts";
import { protocol as claude } from "./claude/protocol.ts";
import { protocol as codex } from "./codex/protocol.ts";
import { protocol as mock } from "./mock/protocol.ts";
import { protocol as opencode } from "./opencode/protocol.ts";
import type { AgentProtocol } from "./transport/agent-protocol.ts";

export const PROTOCOLS: ReadonlyMap<string, AgentProtocol> = new Map(
  [mock, amp, claude, codex, opencode, acp, ...PRESETS.map(protocolOf)].map((protocol: AgentProtocol) => [
    protocol.name,
    protocol,
  ]),
);
