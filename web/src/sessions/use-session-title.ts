/** What a session goes by: its title, else the beginning of its first prompt. Never its id. */
import { createContext, useContext, useEffect, useState } from "react";
import type { SessionSummary } from "../feed/feed-state.ts";
import { clip } from "../ui/format.ts";
import { FirstPrompts } from "./first-prompts.ts";

const FirstPromptsContext = createContext(new FirstPrompts());

export interface SessionTitle {
  text: string;
  /** Nothing was said yet that it could go by. */
  isUnnamed: boolean;
}

/** `summary` is undefined of a session that the feed does not have. */
export function useSessionTitle(id: string, summary: SessionSummary | undefined): SessionTitle {
  const prompts = useContext(FirstPromptsContext);
  const [loaded, setLoaded] = useState<{ id: string; prompt: string }>();
  const title = summary?.title?.trim();
  const known = prompts.get(id) ?? (loaded?.id === id ? loaded.prompt : undefined);
  const isMissing = summary !== undefined && !title && known === undefined;
  // It may have no prompt yet: then the next change is a reason to look again.
  const revision = isMissing ? summary.updatedAt : 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the session is a reason to look again
  useEffect(() => {
    if (!isMissing) return;
    const controller = new AbortController();
    prompts.read(id, controller.signal).then(
      (prompt) => prompt !== undefined && !controller.signal.aborted && setLoaded({ id, prompt }),
      () => {},
    );
    return () => controller.abort();
  }, [prompts, id, isMissing, revision]);
  return { text: clip(title || known || "New session"), isUnnamed: !title && known === undefined };
}
