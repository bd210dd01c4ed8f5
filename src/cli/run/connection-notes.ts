/** Tells a person once that the connection is lost, however often it is tried again, and when it is there again. */
import type { StreamState } from "../../sdk/index.ts";
import { harmless } from "./style.ts";

export function connectionNotes(note: (text: string) => void): (stream: StreamState) => void {
  let isLost = false;
  return (stream) => {
    const wasLost = isLost;
    isLost = stream.state === "reconnecting";
    if (stream.state === "reconnecting" && !wasLost)
      note(harmless(`(The connection to the daemon is lost: ${stream.reason}. Trying again.)`));
    else if (wasLost && !isLost) note("(Connected again.)");
  };
}
