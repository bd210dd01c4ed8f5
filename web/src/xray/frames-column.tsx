/** What clients of a protocol get for these events. */
import { useState } from "react";
import type { Xray } from "../api/types.ts";
import { BoundedList } from "../ui/bounded-list.tsx";
import { Select } from "../ui/field.tsx";
import { Column } from "./column.tsx";
import { prettyFrame } from "./pretty-json.ts";
import { SourceText } from "./source-text.tsx";

const KEY = "interlingua.xray-protocol";

export function FramesColumn({ entry }: { entry: Xray }) {
  const [name, setName] = useState(() => sessionStorage.getItem(KEY) ?? "chat");
  const shown = entry.frames.find(({ dialect }) => dialect === name) ?? entry.frames[0];
  return (
    <Column
      title="Clients"
      aside={
        <Select
          aria-label="Protocol"
          value={shown?.dialect ?? ""}
          options={entry.frames.map(({ dialect, description }) => ({
            value: dialect,
            name: description.replaceAll("`", ""),
          }))}
          onChange={(chosen) => {
            sessionStorage.setItem(KEY, chosen);
            setName(chosen);
          }}
          className="h-7! text-xs! touch:h-10!"
        />
      }
    >
      {entry.framesLeftOut && (
        <p className="text-2xs text-muted-foreground">
          The turn is too long to show it as other protocols do.
        </p>
      )}
      {shown?.frames.length === 0 && (
        <p className="text-muted-foreground text-xs">Clients of this protocol get nothing for it.</p>
      )}
      <BoundedList items={shown?.frames ?? []} step={20} name="frames">
        {({ seq, text, leftOut }, index) => (
          <SourceText
            key={`${seq} ${index}`}
            label={`for ${seq}`}
            text={prettyFrame(text)}
            original={text}
            leftOut={leftOut}
          />
        )}
      </BoundedList>
    </Column>
  );
}
