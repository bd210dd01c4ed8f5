/** A choice that shows what is chosen and takes little room. The list is the system's own: it works on every phone. */
import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { clip } from "./format.ts";

/** Nobody picks from a longer list. */
const MAX_CHOICES = 1000;
const MAX_NAME_LENGTH = 80;

interface ChoiceProps {
  label: string;
  /** What is in force; undefined where nobody knows. */
  value: string | undefined;
  choices: readonly { id: string; name: string }[];
  onChange: (id: string) => void;
  icon?: ReactNode;
  /** Shown where nothing is chosen. */
  placeholder?: string;
  className?: string;
}

/** A row of a list of settings. */
export function SettingRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-8.5 items-center gap-3 rounded-md pl-2 touch:min-h-11">
      <span aria-hidden="true" className="min-w-0 flex-1 truncate text-muted-foreground text-xs">
        {clip(name, MAX_NAME_LENGTH)}
      </span>
      {children}
    </div>
  );
}

export function ChoiceRow({ name, ...choice }: ChoiceProps & { name?: string }) {
  return (
    <SettingRow name={name ?? choice.label}>
      <Choice {...choice} />
    </SettingRow>
  );
}

export function Choice({ label, value, choices, onChange, icon, placeholder, className }: ChoiceProps) {
  const current = choices.find(({ id }) => id === value)?.name ?? value ?? placeholder ?? `${label}: default`;
  return (
    <span
      className={classNames(
        "relative inline-flex h-8 min-w-0 shrink items-center rounded-md text-soft text-xs hover:bg-hover hover:text-foreground touch:h-10",
        "has-focus-visible:outline-2 has-focus-visible:outline-ring",
        className,
      )}
    >
      <span aria-hidden="true" className="pointer-events-none flex min-w-0 items-center gap-1.5 px-2">
        {icon}
        <span className="truncate">{clip(current, MAX_NAME_LENGTH)}</span>
        <ChevronDown className="size-3 shrink-0 text-muted-foreground" />
      </span>
      <select
        aria-label={label}
        title={label}
        value={value ?? ""}
        onChange={(event) => onChange(event.target.value)}
        className="absolute inset-0 w-full opacity-0"
      >
        {value === undefined && <option value="">The agent’s default</option>}
        {choices.slice(0, MAX_CHOICES).map(({ id, name }) => (
          <option key={id} value={id}>
            {clip(name, MAX_NAME_LENGTH)}
          </option>
        ))}
      </select>
    </span>
  );
}
