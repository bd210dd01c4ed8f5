/**
 * What a session goes by: its title, else the beginning of its first prompt. A fork that has only the title of its origin
 * goes by its own first prompt, and until then by a number. Never an id.
 */
import { createContext, useContext, useEffect, useState } from "react";
import type { SessionSummary } from "../feed/feed-state.ts";
import { clip } from "../ui/format.ts";
import { FirstPrompts } from "./first-prompts.ts";
import { useForkNumber } from "./use-fork-numbers.tsx";

const FirstPromptsContext = createContext(new FirstPrompts());

export interface SessionTitle {
  text: string;
  /** What tells a fork from its origin, where the rest does not: the end of the text. */
  suffix?: string;
  /** Nothing was said yet that it could go by. */
  isUnnamed: boolean;
}

/** Those that are known, of sessions without a title. */
export function useFirstPrompts(): Pick<FirstPrompts, "get"> {
  return useContext(FirstPromptsContext);
}

/** `summary` is undefined of a session that the feed does not have. */
export function useSessionTitle(id: string, summary: SessionSummary | undefined): SessionTitle {
  const forkNumber = useForkNumber(id);
  const title = summary?.title?.trim();
  const first = useFirstPrompt(id, title ? undefined : summary);
  const own = useFirstPrompt(id, forkNumber === undefined ? undefined : summary, summary?.createdAt);
  const named = title || first;
  const text = own ?? named;
  if (text === undefined) return { text: "New session", isUnnamed: true };
  if (own !== undefined || forkNumber === undefined) return { text: clip(text), isUnnamed: false };
  const suffix = ` (fork${forkNumber > 0 ? ` ${forkNumber}` : ""})`;
  return { text: `${clip(text)}${suffix}`, suffix, isUnnamed: false };
}

/** Undefined while it is not known, or for no `summary`. */
function useFirstPrompt(id: string, summary: SessionSummary | undefined, since?: number): string | undefined {
  const prompts = useContext(FirstPromptsContext);
  const [loaded, setLoaded] = useState<{ id: string; prompt: string }>();
  const known = prompts.get(id, since) ?? (loaded?.id === id ? loaded.prompt : undefined);
  const isMissing = summary !== undefined && known === undefined;
  // It may have no prompt yet: then the next change is a reason to look again.
  const revision = isMissing ? summary.updatedAt : 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the session is a reason to look again
  useEffect(() => {
    if (!isMissing) return;
    const controller = new AbortController();
    prompts.read(id, controller.signal, since).then(
      (prompt) => prompt !== undefined && !controller.signal.aborted && setLoaded({ id, prompt }),
      () => {},
    );
    return () => controller.abort();
  }, [prompts, id, since, isMissing, revision]);
  return summary && known;
}
