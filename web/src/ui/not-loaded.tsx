/** In place of what was never loaded: without a connection it cannot be, and it is not empty either. */
import { useIsLost } from "../feed/use-is-lost.ts";

export function NotLoaded() {
  return (
    <p data-not-loaded role="status" className="p-6 text-center text-muted-foreground text-xs">
      {useIsLost() && "Not loaded yet: no connection."}
    </p>
  );
}
