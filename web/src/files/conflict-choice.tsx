/** What becomes of files that somebody else has changed since. */
import { useId } from "react";
import { BoundedList } from "../ui/bounded-list.tsx";
import { clip } from "../ui/format.ts";
import type { OnConflict } from "./restore-target.ts";

interface Choice {
  value: Exclude<OnConflict, "refuse">;
  name: string;
  hint: string;
}

function choicesFor(count: number): readonly Choice[] {
  const [it, is] = count === 1 ? ["it", "it is"] : ["them", "they are"];
  return [
    { value: "keep", name: `Leave ${it} as ${is}`, hint: "Only the other files go back." },
    { value: "merge", name: "Take out what the agent did", hint: "Other changes stay." },
    { value: "overwrite", name: `Overwrite ${it}`, hint: "Other changes go too." },
  ];
}

interface ConflictChoiceProps {
  paths: readonly string[];
  value: OnConflict;
  onChange: (value: OnConflict) => void;
  /** Files for which what was chosen is not possible. */
  impossible: readonly string[];
}

export function ConflictChoice({ paths, value, onChange, impossible }: ConflictChoiceProps) {
  const name = useId();
  return (
    <fieldset data-conflicts className="rounded-lg border border-waiting-border bg-waiting-soft px-3 py-2.5">
      <legend className="sr-only">Files that were changed since</legend>
      <p className="font-medium text-xs">
        {paths.length === 1
          ? "One file was changed by somebody else too:"
          : `${paths.length} files were changed by somebody else too:`}
      </p>
      <Paths paths={paths} />
      <div className="mt-2 space-y-1">
        {choicesFor(paths.length).map((choice) => (
          <label key={choice.value} className="flex cursor-pointer items-start gap-2 text-xs touch:py-3">
            <input
              type="radio"
              name={name}
              checked={value === choice.value}
              onChange={() => onChange(choice.value)}
              className="mt-0.5 accent-primary"
            />
            <span className="flex flex-wrap gap-x-2">
              {choice.name} <span className="text-muted-foreground">{choice.hint}</span>
            </span>
          </label>
        ))}
      </div>
      {impossible.length > 0 && (
        <div role="alert" className="mt-2 border-waiting-border border-t pt-2 text-danger-text text-xs">
          {value === "merge"
            ? "Here what you and the agent changed overlaps. Choose something else:"
            : "These cannot go back: no checkpoint has them, or something else is in their place."}
          <Paths paths={impossible} />
        </div>
      )}
    </fieldset>
  );
}

function Paths({ paths }: { paths: readonly string[] }) {
  return (
    <ul className="mt-1 font-mono text-2xs">
      <BoundedList items={paths} step={10} name="files" wrap={(button) => <li>{button}</li>}>
        {(path) => (
          <li key={path} className="truncate" title={clip(path)}>
            {clip(path)}
          </li>
        )}
      </BoundedList>
    </ul>
  );
}
