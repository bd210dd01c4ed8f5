/** The state of a session's connection to its agent, with the reason while we end it. */
import type { InterlinguaError } from "../../core/error.ts";
import type { EventOf, TurnError } from "../../core/event.ts";
import type { AgentMailbox } from "./agent-mailbox.ts";

export type DetachReason = EventOf<"session.detached">["reason"];

export type ConnectionState = Phase & {
  /** We disconnect for this reason. Lasts until everything the agent left open is closed. */
  readonly closing?: { readonly reason: DetachReason; readonly error?: TurnError };
  /** The agent did not obey, so its process is being ended. */
  readonly killed?: TurnError;
};

export type Phase =
  | { readonly is: "disconnected" }
  /** Has a mailbox once the agent runs, though it may still report about itself. Aborting stops waiting for it. */
  | {
      readonly is: "connecting";
      /** With the reason when it could not be started. */
      readonly finished: Promise<InterlinguaError | undefined>;
      readonly abort: AbortController;
      readonly mailbox?: AgentMailbox;
    }
  | { readonly is: "connected"; readonly mailbox: AgentMailbox };

export function phaseWith(mailbox: AgentMailbox | undefined): Phase {
  return mailbox ? { is: "connected", mailbox } : { is: "disconnected" };
}
