/** How asks move the state of a session. */
import { updateAsk } from "../ask-update.ts";
import type { EventOf, SessionEvent } from "../event.ts";
import type { OpenAsk, SessionState } from "../session-state.ts";
import { noteWaiting } from "../turn-time.ts";

/** How many answers that last are remembered. */
const MAX_ALWAYS_ALLOWED = 50;
const MAX_COVERS = 20;
/** How much is remembered of each of their texts, in characters. */
const MAX_TEXT = 500;

export function evolveAsk(state: SessionState, event: SessionEvent): void {
  switch (event.type) {
    case "ask.opened":
      state.asks.set(event.ask, { opened: event });
      if (event.native !== undefined) state.nativeAsks.set(event.native, event.ask);
      return noteWaiting(state, event);
    case "ask.updated": {
      const ask = state.asks.get(event.ask);
      if (ask) ask.opened = updateAsk(ask.opened, event);
      return;
    }
    case "ask.answered": {
      const ask = state.asks.get(event.ask);
      if (ask) {
        ask.answered = event;
        rememberAllowed(state, ask, event);
      }
      return noteWaiting(state, event);
    }
    case "ask.closed": {
      const native = state.asks.get(event.ask)?.opened.native;
      if (native !== undefined && state.nativeAsks.get(native) === event.ask) state.nativeAsks.delete(native);
      state.asks.delete(event.ask);
      if (!event.delivered) forgetAllowed(state, event.ask);
      return noteWaiting(state, event);
    }
  }
}

function rememberAllowed(state: SessionState, { opened }: OpenAsk, answered: EventOf<"ask.answered">): void {
  const { ask, seq, at, by } = answered;
  const option = opened.options.find(({ id }) => id === answered.option);
  if (opened.kind !== "permission" || option?.effect !== "always") return;
  const { label, covers, storedIn } = option;
  const allowed = {
    ...{ ask, seq, title: shorten(opened.title), label: shorten(label) },
    ...(covers && { covers: covers.slice(0, MAX_COVERS).map(shorten) }),
    ...(storedIn !== undefined && { storedIn: shorten(storedIn) }),
    ...{ by, at },
  };
  state.alwaysAllowed = [...(state.alwaysAllowed ?? []), allowed].slice(-MAX_ALWAYS_ALLOWED);
}

/** The agent never heard of it. */
function forgetAllowed(state: SessionState, ask: string): void {
  if (state.alwaysAllowed?.some((allowed) => allowed.ask === ask))
    state.alwaysAllowed = state.alwaysAllowed.filter((allowed) => allowed.ask !== ask);
}

function shorten(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}
