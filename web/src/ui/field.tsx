/** Labelled form fields. Selects are native: they work on every phone and need no style of their own. */
import { ChevronsUpDown } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";
import { classNames } from "./class-names.ts";

const CONTROL =
  "w-full rounded-md border border-input bg-background px-2.5 text-[0.8125rem] placeholder:text-muted-foreground/80 touch:text-base";

interface FieldProps {
  label: string;
  hint?: ReactNode;
  children: (ids: { id: string; "aria-describedby"?: string }) => ReactNode;
}

export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block font-medium text-soft text-xs">
        {label}
      </label>
      {children({ id, ...(hint ? { "aria-describedby": `${id}-hint` } : {}) })}
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-2xs text-muted-foreground leading-4">
          {hint}
        </p>
      )}
    </div>
  );
}

export function TextInput({ className, ...rest }: ComponentProps<"input">) {
  return (
    <input autoComplete="off" className={classNames(CONTROL, "h-8.5 touch:h-10", className)} {...rest} />
  );
}

interface SelectProps<Value extends string | number>
  extends Omit<ComponentProps<"select">, "value" | "children" | "onChange"> {
  value: Value;
  options: readonly { value: Value; name: string }[];
  onChange: (value: Value) => void;
}

export function Select<Value extends string | number>(props: SelectProps<Value>) {
  const { options, onChange, className, ...rest } = props;
  return (
    <div className="relative">
      <select
        className={classNames(CONTROL, "h-8.5 appearance-none pr-7 touch:h-10", className)}
        onChange={({ target }) => onChange(options[target.selectedIndex]!.value)}
        {...rest}
      >
        {options.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <ChevronsUpDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-2 size-3.5 -translate-y-1/2 text-muted-foreground"
      />
    </div>
  );
}
