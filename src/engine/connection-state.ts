/** Where a session stands with its agent, and why we are ending it where we do. */
import type { EventOf, TurnError } from "../core/event.ts";
import type { AgentLink } from "./agent-link.ts";

export type DetachReason = EventOf<"session.detached">["reason"];

export type ConnectionState = Phase & {
  /** We disconnect, for this reason. It outlasts the agent until all it left open is closed. */
  readonly closing?: { readonly reason: DetachReason; readonly error?: TurnError };
  /** The agent did not do as it was told, so its process is being ended. */
  readonly killed?: TurnError;
};

export type Phase =
  | { readonly is: "disconnected" }
  /** With a link once the agent is there and may still be telling about itself. Aborting ends the waiting for it. */
  | {
      readonly is: "connecting";
      readonly finished: Promise<void>;
      readonly abort: AbortController;
      readonly link?: AgentLink;
    }
  | { readonly is: "connected"; readonly link: AgentLink };

export function phaseWith(link: AgentLink | undefined): Phase {
  return link ? { is: "connected", link } : { is: "disconnected" };
}
