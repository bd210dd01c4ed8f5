/** What a session among nodes waits for, in place of what its agent does. */
import { Hourglass } from "lucide-react";
import type { SessionDetails } from "../api/types.ts";

export function WaitingLine({ node, agent }: NonNullable<SessionDetails["waitsFor"]>) {
  return (
    <p data-part="waits-for" className="mt-4 flex items-start gap-2 text-muted-foreground text-xs">
      <Hourglass aria-hidden="true" className="mt-px size-3.5 shrink-0" />
      {node !== undefined
        ? `Waits for the node ${node}, which has its files and is gone. It goes on when that is started again.`
        : `Waits for a node that has the agent ${agent}.`}
    </p>
  );
}
