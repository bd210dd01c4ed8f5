/** What a request answered, asked again when `revision` changes; the answer before stays until the next is there. */
import { useState } from "react";
import { messageOf } from "./error-text.ts";
import { useReread } from "./use-reread.ts";

export interface Loaded<Answer> {
  answer?: Answer;
  problem?: string;
  /** Whether what is there belongs to an earlier revision, or nothing is there yet. */
  isLoading: boolean;
}

interface LoadOptions {
  explain?: (error: unknown) => string;
  /** When it changes, the same may have another answer: it is asked for once what is asked for already is there. */
  soon?: unknown;
}

export function useLoad<Answer>(
  revision: string,
  load: (signal: AbortSignal) => Promise<Answer>,
  { explain = messageOf, soon }: LoadOptions = {},
): Loaded<Answer> {
  const [loaded, setLoaded] = useState<{ answer?: Answer; problem?: string; revision?: string }>({});
  useReread({ of: revision, soon }, async (signal) => {
    const result = await load(signal).then(
      (answer) => ({ answer }),
      (error) => ({ problem: explain(error) }),
    );
    if (!signal.aborted) setLoaded({ ...result, revision });
  });
  const { answer, problem } = loaded;
  return { answer, problem, isLoading: loaded.revision !== revision };
}
