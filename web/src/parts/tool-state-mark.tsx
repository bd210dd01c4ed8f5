/** How a call stands: it runs, it is done, it failed, it was denied. */
import { CircleAlert, CircleCheck, CircleSlash, type LucideIcon, Square, SquareTerminal } from "lucide-react";
import { useConversation } from "../chat/conversation-context.ts";
import type { ToolBlock } from "../chat/message-blocks.ts";
import { classNames } from "../ui/class-names.ts";
import { Spinner } from "../ui/spinner.tsx";
import { isDenied, isStoppedCommand, whyUnfinished } from "./tool-ending.ts";

export function ToolStateMark({ tool }: { tool: ToolBlock }) {
  const { isLive } = useConversation();
  const unfinished = whyUnfinished(tool);
  switch (tool.state) {
    case "output-available":
      if (tool.isPreliminary || (tool.result?.running && isLive)) return <Spinner label="Running" />;
      if (tool.result?.running)
        return <Mark icon={SquareTerminal} label="In background" className="text-muted-foreground" says />;
      if (isStoppedCommand(tool))
        return <Mark icon={Square} label="Stopped" className="text-muted-foreground" says />;
      if (tool.result?.exitCode)
        return (
          <Mark icon={CircleAlert} label={`Exit ${tool.result.exitCode}`} className="text-danger-text" says />
        );
      return <Mark icon={CircleCheck} label="Done" className="text-success" />;
    case "output-error":
      if (unfinished)
        return <Mark icon={CircleSlash} label={unfinished} className="text-muted-foreground" says />;
      if (isDenied(tool)) return <Mark icon={CircleSlash} label="Denied" className="text-danger-text" says />;
      return <Mark icon={CircleAlert} label="Failed" className="text-danger-text" says />;
    case "output-denied":
      return <Mark icon={CircleSlash} label="Denied" className="text-danger-text" says />;
    default:
      // After the end of a turn nothing runs.
      return isLive ? (
        <Spinner label="Running" />
      ) : (
        <Mark icon={CircleSlash} label="Not finished" className="text-muted-foreground" says />
      );
  }
}

interface MarkProps {
  icon: LucideIcon;
  label: string;
  className: string;
  /** Whether it is also said in words. */
  says?: boolean;
}

function Mark({ icon: Icon, label, className, says }: MarkProps) {
  return (
    <span className={classNames("flex shrink-0 items-center gap-1 font-medium text-2xs", className)}>
      <span className={says ? "" : "sr-only"}>{label}</span>
      <Icon className="size-3.5" aria-hidden="true" />
    </span>
  );
}
