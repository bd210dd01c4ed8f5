import { Circle, CircleCheck, CircleDot, ListChecks } from "lucide-react";
import type { PlanEntry } from "../chat/message-blocks.ts";
import { BoundedList } from "../ui/bounded-list.tsx";
import { classNames } from "../ui/class-names.ts";
import { PlainText } from "./plain-text.tsx";

const MARKS = {
  done: { icon: CircleCheck, label: "done", look: "text-success" },
  active: { icon: CircleDot, label: "in progress", look: "text-primary-text" },
  pending: { icon: Circle, label: "to do", look: "text-muted-foreground/60" },
};

export function Plan({ entries }: { entries: readonly PlanEntry[] }) {
  const done = entries.filter(({ status }) => status === "done").length;
  return (
    <section aria-label="Plan" data-part="plan" className="rounded-lg border bg-raised px-3 py-2.5">
      <h3 className="flex items-center gap-2 font-medium text-xs">
        <ListChecks className="size-3.5 text-muted-foreground" aria-hidden="true" />
        Plan
        <span className="ml-auto font-normal text-2xs text-muted-foreground tabular-nums">
          {done} of {entries.length}
        </span>
      </h3>
      <progress
        aria-label="Plan"
        value={done}
        max={Math.max(1, entries.length)}
        className="plan-progress mt-2 block h-1 w-full"
      />
      <ol className="mt-2 space-y-1">
        <BoundedList items={entries} step={60} name="entries" wrap={(button) => <li>{button}</li>}>
          {({ text, status, priority }, index) => {
            const { icon: Icon, label, look } = MARKS[status];
            return (
              <li key={index} className="flex items-start gap-2 text-[0.8125rem]">
                <Icon className={classNames("mt-0.5 size-3.5 shrink-0", look)} aria-label={label} />
                <span
                  className={classNames(
                    "min-w-0",
                    status === "done" && "text-muted-foreground",
                    status === "active" && "font-medium",
                  )}
                >
                  <PlainText text={text} />
                </span>
                {priority === "high" && <span className="text-2xs text-waiting-text">high</span>}
              </li>
            );
          }}
        </BoundedList>
      </ol>
    </section>
  );
}
