/** A function that stays the same and does what the newest one does: who gets it does not render because of it. */
import { useCallback, useLayoutEffect, useRef } from "react";

/** To be called when something happens, not while rendering. */
export function useSteadyCallback<Arguments extends unknown[], Result>(
  callback: (...given: Arguments) => Result,
): (...given: Arguments) => Result {
  const latest = useRef(callback);
  useLayoutEffect(() => {
    latest.current = callback;
  });
  return useCallback((...given) => latest.current(...given), []);
}
