/** Reads something when a view appears, and again as it changes. */
import { useEffect, useRef } from "react";
import { useSteadyCallback } from "../ui/use-steady-callback.ts";
import { Rereader } from "./rereader.ts";

/** While much happens it is not read more often. */
const DEFAULT_PAUSE_MS = 500;

interface Reasons {
  /** What is read. When it is something else, the request for the one before is aborted. */
  of: string;
  /** It is read again at once when this is another. */
  now?: unknown;
  /** It is read again, with a pause, when this is another. */
  soon?: unknown;
  pauseMs?: number;
}

/** `read` tells of its failures itself, and of nothing once its signal is aborted. */
export function useReread(
  { of, now, soon, pauseMs = DEFAULT_PAUSE_MS }: Reasons,
  read: (signal: AbortSignal) => Promise<void>,
): void {
  const latest = useSteadyCallback(read);
  const reader = useRef<Rereader>(undefined);
  const seen = useRef(soon);
  // biome-ignore lint/correctness/useExhaustiveDependencies: something else is read by another one
  useEffect(() => {
    const controller = new AbortController();
    const current = new Rereader(() => latest(controller.signal), pauseMs);
    reader.current = current;
    return () => {
      controller.abort();
      current.close();
    };
  }, [of, latest, pauseMs]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them is a reason to read
  useEffect(() => reader.current?.now(), [of, now]);
  useEffect(() => {
    // The first one is read anyway.
    if (seen.current === soon) return;
    seen.current = soon;
    reader.current?.soon();
  }, [soon]);
}
