/** What stands where a conversation would, for those who have none to see there. */
import { Plus } from "lucide-react";
import { openStart } from "../start/choose-agent.ts";
import { Button } from "../ui/button.tsx";
import { Mark } from "./mark.tsx";

interface NoSessionProps {
  /** An address leads to a session that is not there. */
  isGone: boolean;
  canCreate: boolean;
}

export function NoSession({ isGone, canCreate }: NoSessionProps) {
  return (
    <div className="grid flex-1 place-items-center overflow-y-auto p-6">
      <div className="max-w-sm text-center">
        <Mark className="mx-auto size-10" />
        <h1 className="mt-5 font-semibold text-base">
          {isGone ? "There is no such session" : "Nothing to start here"}
        </h1>
        <p className="mt-1.5 text-balance text-muted-foreground leading-relaxed">
          {!isGone
            ? "The sessions that your access is for are listed here."
            : canCreate
              ? "It was deleted, or it is on another machine."
              : "It was deleted, or your access is not for it."}
        </p>
        {canCreate && (
          <Button look="primary" className="mt-5" onClick={openStart}>
            <Plus /> New session
          </Button>
        )}
      </div>
    </div>
  );
}
