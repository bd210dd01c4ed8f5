/** What a request answered, asked again when `revision` changes; the answer before stays until the next is there. */
import { useEffect, useState } from "react";
import { messageOf } from "./error-text.ts";

export interface Loaded<Answer> {
  answer?: Answer;
  problem?: string;
  /** Whether what is there belongs to an earlier revision, or nothing is there yet. */
  isLoading: boolean;
}

export function useLoad<Answer>(
  revision: string,
  load: (signal: AbortSignal) => Promise<Answer>,
  explain: (error: unknown) => string = messageOf,
): Loaded<Answer> {
  const [loaded, setLoaded] = useState<{ answer?: Answer; problem?: string; revision?: string }>({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: the revision says when to ask again
  useEffect(() => {
    const controller = new AbortController();
    const finish = (result: { answer: Answer } | { problem: string }) => {
      if (!controller.signal.aborted) setLoaded({ ...result, revision });
    };
    load(controller.signal).then(
      (answer) => finish({ answer }),
      (error) => finish({ problem: explain(error) }),
    );
    return () => controller.abort();
  }, [revision]);
  const { answer, problem } = loaded;
  return { answer, problem, isLoading: loaded.revision !== revision };
}
