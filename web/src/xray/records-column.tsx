/** What the agent really said, was told or went through, and what nobody reads of it. */
import { EyeOff } from "lucide-react";
import type { Xray } from "../api/types.ts";
import { BoundedList } from "../ui/bounded-list.tsx";
import { clip } from "../ui/format.ts";
import { Column } from "./column.tsx";
import { exactTime } from "./exact-time.ts";
import { prettyJson } from "./pretty-json.ts";
import { SourceText } from "./source-text.tsx";

const WAYS = { in: "from the agent", out: "to the agent", process: "process" };

export function RecordsColumn({ entry }: { entry: Xray }) {
  const { raw, rawLeftOut } = entry;
  return (
    <Column title="Agent">
      {raw.length === 0 && (
        <p className="text-muted-foreground text-xs">
          No line of the agent: a person or the daemon did this.
        </p>
      )}
      {rawLeftOut !== undefined && (
        <p className="text-2xs text-muted-foreground">{rawLeftOut} earlier lines are left out.</p>
      )}
      <BoundedList items={raw} step={20} name="lines">
        {({ rawSeq, direction, data, at, unread, leftOut }) => {
          const text = typeof data === "string" ? data : JSON.stringify(data);
          return (
            <div key={rawSeq} data-record={direction}>
              <SourceText
                label={`${rawSeq} ${WAYS[direction]}`}
                note={exactTime(at)}
                text={prettyJson(text)}
                original={text}
                leftOut={leftOut}
              />
              {unread && unread.length > 0 && <Unread names={unread} />}
            </div>
          );
        }}
      </BoundedList>
    </Column>
  );
}

/** What the translator left unread. */
function Unread({ names }: { names: readonly string[] }) {
  return (
    <div data-unread className="mt-1.5 text-2xs text-waiting-text">
      <p className="flex items-center gap-1.5 font-medium">
        <EyeOff className="size-3" aria-hidden="true" /> Not read
      </p>
      <ul className="mt-1 flex flex-wrap gap-1">
        <BoundedList items={names} step={30} name="names" wrap={(button) => <li>{button}</li>}>
          {(name) => (
            <li key={name} className="rounded border border-waiting-border bg-waiting-soft px-1.5 font-mono">
              {clip(name, 80)}
            </li>
          )}
        </BoundedList>
      </ul>
    </div>
  );
}
