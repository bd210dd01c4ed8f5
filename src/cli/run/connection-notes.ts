/** Tells a person once that the connection is lost, however often it is tried again. */
import type { StreamState } from "../../sdk/index.ts";
import { harmless } from "./style.ts";

export function connectionNotes(note: (text: string) => void): (stream: StreamState) => void {
  let isLost = false;
  return (stream) => {
    if (stream.state === "reconnecting" && !isLost) note(harmless(`${stream.reason}; trying again.`));
    isLost = stream.state === "reconnecting";
  };
}
