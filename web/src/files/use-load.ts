/** What a request answered, asked again when `revision` changes; the answer before stays until the next is there. */
import { useEffect, useState } from "react";
import { messageOf } from "../api/error-text.ts";

export interface Loaded<Answer> {
  answer?: Answer;
  problem?: string;
  isLoading: boolean;
}

export function useLoad<Answer>(
  revision: string,
  load: (signal: AbortSignal) => Promise<Answer>,
): Loaded<Answer> {
  const [loaded, setLoaded] = useState<Loaded<Answer>>({ isLoading: true });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the revision says when to ask again
  useEffect(() => {
    const controller = new AbortController();
    setLoaded((before) => ({ ...before, isLoading: true }));
    load(controller.signal).then(
      (answer) => setLoaded({ answer, isLoading: false }),
      (error) => {
        if (!controller.signal.aborted) setLoaded({ problem: messageOf(error), isLoading: false });
      },
    );
    return () => controller.abort();
  }, [revision]);
  return loaded;
}
