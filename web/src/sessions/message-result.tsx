/** A message that has the words that were searched for: a link to it, with the words in their place. */
import { useAgentNames } from "../agents/use-agent-names.ts";
import type { SearchResult } from "../api/types.ts";
import { useFeed } from "../feed/use-feed.tsx";
import { linkTo } from "../route.ts";
import { clip, formatAge } from "../ui/format.ts";
import { useSessionTitle } from "./use-session-title.ts";

interface MessageResultProps {
  result: SearchResult;
  now: number;
  onOpen: () => void;
}

export function MessageResult({ result, now, onOpen }: MessageResultProps) {
  const { session, message, role, at, agent, snippet } = result;
  const summary = useFeed().sessions.get(session);
  const title = useSessionTitle(session, summary);
  const agentName = useAgentNames()(agent);
  return (
    <a
      href={linkTo({ view: "session", session, message })}
      data-result={message}
      onClick={onOpen}
      className="block rounded-md px-2 py-1.5 hover:bg-hover"
    >
      <span className="flex items-baseline gap-2">
        <span className="min-w-0 flex-1 truncate font-medium text-xs">
          {result.title ? clip(result.title) : title.text}
        </span>
        <span className="text-2xs text-muted-foreground tabular-nums">{formatAge(at, now)}</span>
      </span>
      <span className="wrap-anywhere line-clamp-3 text-muted-foreground text-xs leading-4.5">
        <span className="text-soft">{role === "user" ? "Prompt" : agentName}: </span>
        <bdi>
          {snippet.map(({ text, match }, index) =>
            match ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name
              <mark key={index} className="rounded-sm bg-waiting/25 text-foreground">
                {text}
              </mark>
            ) : (
              text
            ),
          )}
        </bdi>
      </span>
    </a>
  );
}
