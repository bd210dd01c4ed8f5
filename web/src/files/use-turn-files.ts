/** What the turns on the time line were asked and what they changed, one after the other. What is known is kept. */
import { useEffect, useRef, useState } from "react";
import { InterlinguaError } from "../../../src/sdk/error.ts";
import { daemon } from "../api/client.ts";
import { isUnreachable, messageOf } from "../api/error-text.ts";
import type { FileChange } from "../api/types.ts";
import { excerpt } from "../ui/format.ts";
import type { TimeLineEntry } from "./time-line.ts";

export interface TurnFiles {
  /** The beginning of the prompt. */
  text?: string;
  /** Absent while the turn runs. */
  changes?: readonly FileChange[];
  problem?: string;
}

const TEXT_LENGTH = 140;

export function useTurnFiles(
  session: string,
  entries: readonly TimeLineEntry[],
): ReadonlyMap<string, TurnFiles> {
  const [files, setFiles] = useState<ReadonlyMap<string, TurnFiles>>(new Map());
  const known = useRef(files);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    async function load() {
      for (const entry of entries) {
        if (signal.aborted) return;
        if (entry.kind !== "turn") continue;
        const before = known.current.get(entry.turn);
        if (before && (entry.isRunning || before.changes || before.problem)) continue;
        const text = before?.text ?? (await readText(session, entry.message, signal));
        const found = { text, ...(!entry.isRunning && (await readChanges(session, entry.turn, signal))) };
        if (signal.aborted) return;
        known.current = new Map(known.current).set(entry.turn, found);
        setFiles(known.current);
      }
    }
    // Without the daemon the panel is asked again when it is back.
    load().catch(() => {});
    return () => controller.abort();
  }, [session, entries]);
  return files;
}

async function readText(session: string, message: string | undefined, signal: AbortSignal) {
  if (message === undefined) return undefined;
  try {
    const { message: found } = await daemon().call(
      "GET /v1/sessions/{id}/messages/{message}",
      { params: { id: session, message } },
      signal,
    );
    const text = found.content.find((part) => part.type === "text")?.text ?? "";
    return text.trim() === "" ? "A prompt without words" : excerpt(text, TEXT_LENGTH);
  } catch (error) {
    if (InterlinguaError.is(error, "message_not_found")) return "A prompt that was taken back";
    throw error;
  }
}

async function readChanges(session: string, turn: string, signal: AbortSignal): Promise<TurnFiles> {
  try {
    const { changes } = await daemon().call(
      "GET /v1/sessions/{id}/changes",
      { params: { id: session }, query: { turn } },
      signal,
    );
    return { changes };
  } catch (error) {
    if (signal.aborted || isUnreachable(error)) throw error;
    return { problem: messageOf(error) };
  }
}
