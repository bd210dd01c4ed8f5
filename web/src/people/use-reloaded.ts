/** What is loaded from the daemon and loaded again after each change, with what went wrong. */
import { useEffect, useState } from "react";
import { messageOf } from "../api/error-text.ts";

export interface Reloaded {
  problem: string | undefined;
  /** Makes a change, then loads again. Never rejects: `problem` says why it failed. */
  change: (action: () => Promise<void>) => Promise<void>;
}

/** `load` is called again whenever it is another function. */
export function useReloaded(load: (signal?: AbortSignal) => Promise<unknown>): Reloaded {
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const controller = new AbortController();
    load(controller.signal).catch((error) => controller.signal.aborted || setProblem(messageOf(error)));
    return () => controller.abort();
  }, [load]);

  async function change(action: () => Promise<void>): Promise<void> {
    setProblem(undefined);
    try {
      await action();
      await load();
    } catch (error) {
      setProblem(messageOf(error));
    }
  }

  return { problem, change };
}
