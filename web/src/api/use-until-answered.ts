/** What a request answered: undefined until it is known. */
import { useEffect, useState } from "react";
import { isUnauthorized } from "./error-text.ts";

/** Asks again after `retryMs` until there is an answer. `ask` has to stay the same function. */
export function useUntilAnswered<Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
  retryMs: number,
): Answer | undefined {
  const [answer, setAnswer] = useState<Answer>();
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function load(): Promise<void> {
      try {
        setAnswer(await ask(controller.signal));
      } catch (error) {
        if (controller.signal.aborted || isUnauthorized(error)) return;
        timer = setTimeout(() => void load(), retryMs);
      }
    }
    void load();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [ask, retryMs]);
  return answer;
}
