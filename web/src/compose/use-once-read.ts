/** Sends a draft once its files are read; one that is sent before would go without them. */
import { useEffect, useState } from "react";
import { useSteadyCallback } from "../ui/use-steady-callback.ts";
import type { DraftState } from "./use-draft.ts";

export interface OnceRead<Given extends unknown[]> {
  /** Whether it waits for files. */
  isWaiting: boolean;
  /** Sends now, or when all files are read. Where one cannot be read it is not sent. */
  send: (...given: Given) => void;
  /** It is not sent by itself any more. */
  keep: () => void;
}

export function useOnceRead<Given extends unknown[]>(
  { isReading, isUnreadable }: DraftState,
  sendNow: (...given: Given) => void,
): OnceRead<Given> {
  const [waiting, setWaiting] = useState<Given>();
  const latest = useSteadyCallback(sendNow);
  useEffect(() => {
    if (!waiting || isReading) return;
    setWaiting(undefined);
    if (!isUnreadable) latest(...waiting);
  }, [waiting, isReading, isUnreadable, latest]);
  return {
    isWaiting: waiting !== undefined,
    send: (...given) => (isReading ? setWaiting(given) : sendNow(...given)),
    keep: () => setWaiting(undefined),
  };
}
