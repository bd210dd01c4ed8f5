/** Terminals: what was written there, whether the agent runs them and shows it, or we run them for it. */
import type { RpcRequest } from "../../transport/json-rpc.ts";
import { withEntry } from "../../transport/map-entry.ts";
import type { AcpState, KnownCall, TerminalView } from "../conversation-state.ts";
import { type JsonObject, objectOf, textOf } from "../untyped.ts";
import { AGENT_METHOD } from "../wire.ts";

/** What we told the agent about a terminal it asked for; its calls name the terminal and nothing else. */
export function afterTerminalAnswer(
  state: AcpState,
  { method, params }: RpcRequest,
  result: JsonObject,
): AcpState {
  const id = textOf(params.terminalId);
  if (id === undefined) return state;
  const former = state.terminals.get(id) ?? { text: "" };
  switch (method) {
    case AGENT_METHOD.terminalOutput: {
      const text = typeof result.output === "string" ? result.output : former.text;
      return withTerminal(state, id, { ...former, ...exitOf(objectOf(result.exitStatus)), text });
    }
    case AGENT_METHOD.waitForTerminalExit:
      return withTerminal(state, id, { ...former, ...exitOf(result) });
    default:
      return state;
  }
}

/** What the terminal of a call has written. */
export function terminalOf({ terminals }: AcpState, { content, written }: KnownCall): TerminalView {
  if (written !== "") return { text: written };
  const id = textOf(content.find(({ type }) => type === "terminal")?.terminalId);
  return (id === undefined ? undefined : terminals.get(id)) ?? { text: "" };
}

function withTerminal(state: AcpState, id: string, view: TerminalView): AcpState {
  return { ...state, terminals: withEntry(state.terminals, id, view) };
}

function exitOf({ exitCode }: JsonObject): { exitCode?: number } {
  return typeof exitCode === "number" && Number.isInteger(exitCode) ? { exitCode } : {};
}
