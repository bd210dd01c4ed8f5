/** How asks move the state of a session. */
import { updateAsk } from "../ask-update.ts";
import type { SessionEvent } from "../event.ts";
import type { SessionState } from "../session-state.ts";

export function evolveAsk(state: SessionState, event: SessionEvent): void {
  switch (event.type) {
    case "ask.opened":
      state.asks.set(event.ask, { opened: event });
      if (event.native !== undefined) state.nativeAsks.set(event.native, event.ask);
      return;
    case "ask.updated": {
      const ask = state.asks.get(event.ask);
      if (ask) ask.opened = updateAsk(ask.opened, event);
      return;
    }
    case "ask.answered": {
      const ask = state.asks.get(event.ask);
      if (ask) ask.answered = event;
      return;
    }
    case "ask.closed": {
      const native = state.asks.get(event.ask)?.opened.native;
      if (native !== undefined && state.nativeAsks.get(native) === event.ask) state.nativeAsks.delete(native);
      state.asks.delete(event.ask);
      return;
    }
  }
}
