/** Commands → lines for the agent. Pure: what is sent follows from the translator's state. */
import { type Encoder, InterlinguaError, promptText, withContextAsText } from "interlingua/adapter";
import type { State } from "./outbound.ts";

export const inbound: Encoder<State> = {
  open({ opening }) {
    if (opening === "ready") return { step: "ready" };
    if (opening === "waiting") return { step: "wait" };
    // Only this code lets a new conversation begin; after any other the old one is tried again.
    return { step: "failed", code: "conversation_lost", reason: "it has no such conversation" };
  },
  encode(_state, command) {
    switch (command.type) {
      case "prompt":
        if (command.steer) throw unsupported("takes one prompt at a time");
        if (command.parts.some(({ type }) => type === "file")) throw unsupported("takes no files");
        return [line({ type: "ask", text: promptText(withContextAsText(command.parts)) })];
      case "interrupt":
        return [line({ type: "stop" })];
      case "reply":
        return [line({ type: "permit", id: command.ask, allow: command.option === "allow" })];
      default:
        throw unsupported(`does not know "${command.type}"`);
    }
  },
};

function line(message: object): string {
  return JSON.stringify(message);
}

function unsupported(what: string): InterlinguaError {
  return new InterlinguaError("unsupported", `The parrot ${what}.`);
}
