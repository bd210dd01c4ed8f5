/** The log as lines of text: the number of the event, a word, and JSON. Pure: a line follows from its event alone. */
import type { SessionEvent, View } from "interlingua/dialect";

/** `12 say "Hello"` */
export function createView(): View {
  return {
    add(event) {
      const line = lineOf(event);
      return line === undefined ? [] : [{ text: `${event.seq} ${line}\n` }];
    },
  };
}

/** JSON has no raw line break, so whatever an agent says stays in its line. */
function lineOf(event: SessionEvent): string | undefined {
  switch (event.type) {
    case "text.delta":
      return `say ${JSON.stringify(event.delta)}`;
    case "tool.start":
      return `tool ${JSON.stringify(event.name)}`;
    case "ask.opened": {
      const { ask, title, options } = event;
      return `ask ${JSON.stringify({ ask, title, options: options.map(({ id }) => id) })}`;
    }
    case "turn.ended":
      return `end ${JSON.stringify(event.outcome)}`;
    default:
      // Also events of later versions.
      return undefined;
  }
}
