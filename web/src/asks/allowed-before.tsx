/** Below a call that nobody was asked about: that a person allowed it earlier, where the log tells. */
import { CircleCheck } from "lucide-react";
import { createContext, useContext } from "react";
import { isNamed } from "../access/is-named.ts";
import { useAccess } from "../access/use-access.tsx";
import type { AlwaysAllowed } from "../api/types.ts";
import type { ToolBlock } from "../chat/message-blocks.ts";
import { entryOfCall } from "../chat/show-in-xray.ts";
import { commandOf } from "../parts/tool-summary.ts";
import { shownName } from "../people/shown-name.ts";
import { coveringAnswer } from "./covering-answer.ts";

/** What people allowed in the session for more than once. */
export const AllowedContext = createContext<readonly AlwaysAllowed[] | undefined>(undefined);

export function AllowedBefore({ tool }: { tool: ToolBlock }) {
  const { me } = useAccess();
  const answers = useContext(AllowedContext);
  const seq = entryOfCall(tool.call);
  if (!answers || seq === undefined || tool.asks.length > 0 || tool.state === "output-denied") return null;
  const answer = coveringAnswer(answers, { seq, name: tool.name, command: commandOf(tool.input) });
  if (!answer) return null;
  const { by, at, storedIn } = answer;
  return (
    <p
      data-allowed-before
      title={new Date(at).toLocaleString()}
      className="flex items-start gap-1.5 text-muted-foreground text-xs"
    >
      <CircleCheck aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        Allowed before{storedIn === "session" && ", for this session,"} by{" "}
        {isNamed(by, me.name) ? "you" : shownName(by)}
      </span>
    </p>
  );
}
