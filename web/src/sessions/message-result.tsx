/** A message that has the words that were searched for: a link to it, with the words in their place. */
import { useAgentNames } from "../agents/use-agent-names.ts";
import { useFeed } from "../feed/use-feed.tsx";
import { linkTo } from "../route.ts";
import { formatAge } from "../ui/format.ts";
import type { FoundMessage } from "./merge-copies.ts";
import { SnippetText } from "./snippet-text.tsx";
import { useSessionTitle } from "./use-session-title.ts";

interface MessageResultProps {
  result: FoundMessage;
  now: number;
  onOpen: () => void;
}

export function MessageResult({ result, now, onOpen }: MessageResultProps) {
  const { session, message, role, at, agent, snippet, copies } = result;
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
        <span className="min-w-0 flex-1 truncate font-medium text-xs">{title.text}</span>
        <span className="text-2xs text-muted-foreground tabular-nums">{formatAge(at, now)}</span>
      </span>
      <span className="wrap-anywhere line-clamp-3 text-muted-foreground text-xs leading-4.5">
        <span className="text-soft">{role === "user" ? "Prompt" : agentName}: </span>
        <SnippetText pieces={snippet} />
      </span>
      {copies > 0 && (
        <span className="block text-2xs text-muted-foreground">
          also in {copies === 1 ? "a fork" : `${copies} forks`}
        </span>
      )}
    </a>
  );
}
