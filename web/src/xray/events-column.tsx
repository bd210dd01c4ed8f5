import type { Xray } from "../api/types.ts";
import { BoundedList } from "../ui/bounded-list.tsx";
import { Column } from "./column.tsx";
import { exactTime } from "./exact-time.ts";
import { SourceText } from "./source-text.tsx";

/** The events that the daemon made of it. */
export function EventsColumn({ entry }: { entry: Xray }) {
  return (
    <Column title="Events">
      <BoundedList items={entry.events} step={20} name="events">
        {(event) => (
          <SourceText
            key={event.seq}
            label={`${event.seq} ${event.type}`}
            note={exactTime(event.at)}
            text={JSON.stringify(event, null, 2)}
            original={JSON.stringify(event)}
          />
        )}
      </BoundedList>
    </Column>
  );
}
