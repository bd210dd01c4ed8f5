/** Messages in which the words of the command palette are said, as its entries. */
import { MessageSquareText } from "lucide-react";
import { useMemo } from "react";
import { useAgentNames } from "../agents/use-agent-names.ts";
import { go } from "../route.ts";
import { SnippetText } from "../sessions/snippet-text.tsx";
import { useMessageSearch } from "../sessions/use-message-search.ts";
import { clip } from "../ui/format.ts";
import type { PaletteEntry } from "./use-palette-entries.tsx";

/** The search of the sessions lists them all. */
const MAX_LISTED = 6;
/** Fewer letters are in nearly everything. */
const MIN_LENGTH = 3;

export function useFoundMessages(words: string): PaletteEntry[] {
  const { results } = useMessageSearch(words.length < MIN_LENGTH ? "" : words);
  const nameOf = useAgentNames();
  return useMemo(
    () =>
      results.slice(0, MAX_LISTED).map(({ session, message, title, agent, snippet }) => ({
        id: `message ${session} ${message}`,
        name: clip(snippet.map(({ text }) => text).join("")),
        label: <SnippetText pieces={snippet} />,
        hint: clip(title?.trim() || nameOf(agent), 60),
        icon: <MessageSquareText />,
        run: () => go({ view: "session", session, message }),
      })),
    [results, nameOf],
  );
}
