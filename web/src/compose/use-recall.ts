/** Walks through earlier prompts with the arrow keys, as a terminal does: up from the empty field, down back to it. */
import { type KeyboardEvent, useState } from "react";

/** True when the key was for it. */
export type RecallKey = (event: KeyboardEvent<HTMLTextAreaElement>) => boolean;

export function useRecall(
  text: string,
  history: () => readonly string[],
  write: (text: string, caret: number) => void,
): RecallKey {
  /** What is shown, and which it is. Something else in the field is a text of its own. */
  const [shown, setShown] = useState<{ text: string; place: number }>();

  return (event) => {
    const isUp = event.key === "ArrowUp";
    if (
      (!isUp && event.key !== "ArrowDown") ||
      event.shiftKey ||
      event.metaKey ||
      event.ctrlKey ||
      event.altKey
    )
      return false;
    const isRecalled = shown !== undefined && shown.text === text;
    if (text !== "" && !isRecalled) return false;
    if (!isUp && !isRecalled) return false;
    const { selectionStart, selectionEnd } = event.currentTarget;
    // In a text of several lines the arrows move within it first.
    const isAtEdge = isUp
      ? !text.slice(0, selectionStart).includes("\n")
      : !text.slice(selectionEnd).includes("\n");
    if (selectionStart !== selectionEnd || !isAtEdge) return false;
    const place = (isRecalled ? shown.place : -1) + (isUp ? 1 : -1);
    const next = history()[place];
    if (place >= 0 && next === undefined) return true;
    event.preventDefault();
    setShown(next === undefined ? undefined : { text: next, place });
    write(next ?? "", (next ?? "").length);
    return true;
  };
}
