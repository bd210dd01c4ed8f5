/** What the agent says → drafts. Pure: it sees every record in order, also those that were sent. */
import { type Draft, parseLine, type Translator } from "interlingua/adapter";

export interface State {
  readonly opening: "waiting" | "ready" | "lost";
}

export const outbound: Translator<State> = {
  initial: { opening: "waiting" },
  translate(state, { direction, data }) {
    // What was sent, and what happened to the process: nothing follows from it here.
    if (direction !== "in" || typeof data !== "string") return [state, []];
    const line = parseLine(data);
    if (line.kind === "blank") return [state, []];
    if (line.kind === "unreadable") return [state, [line.draft]];
    const { message } = line;
    if (message.type === "hello") return [{ opening: "ready" }, [attached(message)]];
    if (message.type === "lost") return [{ opening: "lost" }, []];
    return [state, draftsOf(message)];
  },
};

type Message = Readonly<Record<string, unknown>>;

function attached({ id, version }: Message): Draft {
  return { type: "session.attached", agentSessionId: String(id), agentVersion: String(version) };
}

/** The session machine opens and closes what is missing: a text needs no start, a turn's end ends all. */
function draftsOf(message: Message): Draft[] {
  const call = String(message.id);
  switch (message.type) {
    case "say":
      return [{ type: "text.delta", delta: String(message.text) }];
    case "may-i":
      return [
        { type: "tool.start", call, name: String(message.tool), kind: "edit" },
        { type: "tool.input", call, input: message.input },
        {
          type: "ask.opened",
          ask: call,
          kind: "permission",
          call,
          title: `May I ${message.tool}?`,
          options: [
            { id: "allow", label: "Allow", effect: "once" },
            { id: "deny", label: "Deny", effect: "reject" },
          ],
        },
      ];
    case "did":
      return [{ type: "tool.output", call, output: message.output }];
    case "done":
      return [{ type: "turn.ended", outcome: message.stopped === true ? "interrupted" : "completed" }];
    default:
      return [{ type: "agent.unknown", native: String(message.type) }];
  }
}
