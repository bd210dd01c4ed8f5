/** A value of a call: a few short fields as a list, everything else as text. */
import { useMemo } from "react";
import { clip } from "../ui/format.ts";
import { CodePanel } from "./code-panel.tsx";
import { shortFields, valueText } from "./tool-summary.ts";
import { VisibleText } from "./visible-text.tsx";

/** Fields whose name says nothing to a person. */
const NAMES: Readonly<Record<string, string>> = { blockedPath: "Outside what is allowed" };

/** `workingDirectory` is "Working directory"; what is no word of a program stays as it is. */
function fieldName(name: string): string {
  if (Object.hasOwn(NAMES, name)) return NAMES[name]!;
  if (!/^[a-z]+(?:[A-Z][a-z0-9]+)+$/.test(name)) return name;
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function ValuePanel({ label, value, note }: { label: string; value: unknown; note?: string }) {
  const fields = useMemo(() => shortFields(value), [value]);
  const text = useMemo(() => (fields ? "" : valueText(value)), [value, fields]);
  if (!fields) return <CodePanel label={label} text={text} note={note} />;
  return (
    <div>
      <p className="mb-1 font-medium text-2xs text-muted-foreground">{label}</p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5 rounded-md bg-muted px-2.5 py-1.5 text-xs leading-5">
        {fields.map(([name, text]) => (
          <div key={name} className="contents">
            <dt className="text-muted-foreground">{clip(fieldName(name), 80)}</dt>
            <dd className="font-mono text-[0.72rem] [overflow-wrap:anywhere] [unicode-bidi:isolate]">
              <VisibleText text={text} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
