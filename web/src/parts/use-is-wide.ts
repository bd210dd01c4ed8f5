/** Whether there is room for two columns of code. */
import { useSyncExternalStore } from "react";

const WIDE = "(min-width: 768px)";

export function useIsWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia(WIDE);
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    () => matchMedia(WIDE).matches,
    () => true,
  );
}
