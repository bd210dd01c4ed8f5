/** The output of a call: its texts where it has any, else the value. */
import { useMemo } from "react";
import { CodePanel } from "./code-panel.tsx";
import { outputTexts } from "./output-texts.ts";
import { ValuePanel } from "./value-panel.tsx";

export function OutputPanel({ label, value, note }: { label: string; value: unknown; note?: string }) {
  const texts = useMemo(() => outputTexts(value), [value]);
  if (!texts) return <ValuePanel label={label} value={value} note={note} />;
  return texts.map((part, index) => (
    <CodePanel
      // biome-ignore lint/suspicious/noArrayIndexKey: they have no other identity
      key={index}
      label={part.label === "Output" ? label : part.label}
      text={part.text}
      note={[part.note, index === 0 ? note : undefined].filter(Boolean).join(" · ")}
    />
  ));
}
