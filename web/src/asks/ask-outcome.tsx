/** What became of an ask, in one line. */
import { CircleCheck, CircleSlash, Clock } from "lucide-react";
import type { ReactNode } from "react";
import { isNamed } from "../access/is-named.ts";
import { useAccess } from "../access/use-access.tsx";
import type { AskData } from "../chat/page-message.ts";
import { PlainText } from "../parts/plain-text.tsx";
import { shownName } from "../people/shown-name.ts";

export function AskOutcome({ ask }: { ask: AskData }) {
  const { me } = useAccess();
  const { answer, state } = ask;
  // The daemon declined it, not a person.
  if (!answer || state === "expired") {
    return (
      <Line icon={<Clock className="text-muted-foreground" />}>
        {state === "expired" ? "Expired without an answer" : "Not answered any more"}
      </Line>
    );
  }
  const isDeclined = answer.effect === "reject" || answer.effect === "reject-always";
  const label = outcomeOf(ask, isDeclined) ?? ask.options.find(({ id }) => id === answer.option)?.label;
  const given = Object.entries(answer.answers ?? {}).map(([, answers]) => answers.join(", "));
  return (
    <Line
      icon={
        isDeclined ? <CircleSlash className="text-danger-text" /> : <CircleCheck className="text-success" />
      }
    >
      <span className="text-soft">
        <PlainText text={given.join(" · ") || label || (isDeclined ? "Declined" : "Answered")} />
      </span>
      {answer.input !== undefined && <span> · edited</span>}
      {answer.message && (
        <span>
          {" "}
          — “<PlainText text={answer.message} />”
        </span>
      )}
      <span> by {isNamed(answer.by, me.name) ? "you" : shownName(answer.by)}</span>
      {ask.delivered === false && <span className="text-danger-text"> · it did not reach the agent</span>}
    </Line>
  );
}

/** What was decided, not what was pressed. Undefined where the answers or the words of the option say it. */
function outcomeOf({ kind, answer }: AskData, isDeclined: boolean): string | undefined {
  if (kind === "question") return isDeclined ? "Declined" : undefined;
  const isPlan = kind === "plan";
  switch (answer?.effect) {
    case "once":
      return isPlan ? "Plan approved" : "Allowed";
    case "reject":
      return isPlan ? "Plan sent back" : "Denied";
    case "reject-always":
      return isPlan ? undefined : "Denied from now on";
    case "always":
      return isPlan ? undefined : "Allowed from now on";
    default:
      return undefined;
  }
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex items-start gap-1.5 text-muted-foreground text-xs [&_svg]:mt-0.5 [&_svg]:size-3.5 [&_svg]:shrink-0">
      {icon}
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </p>
  );
}
