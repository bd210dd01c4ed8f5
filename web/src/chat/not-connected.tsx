/** In place of what the agent does: without a connection nobody knows. */
import { useFeed } from "../feed/use-feed.tsx";
import { useNow } from "../shell/use-now.ts";
import { formatDuration } from "../ui/format.ts";

export function NotConnected() {
  const { lostAt } = useFeed();
  const now = useNow(1000);
  const seconds = Math.max(0, Math.floor((now - (lostAt ?? now)) / 1000));
  return (
    <p data-not-connected className="mt-4 text-muted-foreground text-xs tabular-nums">
      Not connected · last heard {seconds < 60 ? `${seconds}s` : formatDuration(seconds * 1000)} ago
    </p>
  );
}
