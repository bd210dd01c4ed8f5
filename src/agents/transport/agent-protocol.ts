/** The pure half of an agent: all that is needed to understand what was said, without a process. */
import type { BackendCapabilities } from "../../core/capability.ts";
import type { Recall, Translator } from "./translator.ts";

export interface AgentProtocol<State = unknown> {
  /** As clients give it: `mock`, `claude`, … */
  readonly name: string;
  readonly capabilities: BackendCapabilities;
  readonly translator: Translator<State>;
  readonly recall: Recall<State>;
}
