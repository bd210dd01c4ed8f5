/** One of a few, side by side. */
import { classNames } from "../ui/class-names.ts";

interface SegmentsProps<Value extends string> {
  legend: string;
  names: Readonly<Record<Value, string>>;
  order?: readonly Value[];
  value: Value;
  onChange: (value: Value) => void;
}

export function Segments<Value extends string>(props: SegmentsProps<Value>) {
  const { legend, names, value, onChange } = props;
  const order = props.order ?? (Object.keys(names) as Value[]);
  return (
    <fieldset className="flex flex-wrap gap-1">
      <legend className="sr-only">{legend}</legend>
      {order.map((id) => (
        <button
          key={id}
          type="button"
          aria-pressed={value === id}
          onClick={() => onChange(id)}
          className={classNames(
            "rounded-md px-2 py-1 font-medium text-xs touch:min-h-10 touch:min-w-10 touch:px-2.5",
            value === id
              ? "bg-selected text-foreground"
              : "text-muted-foreground hover:bg-hover hover:text-foreground",
          )}
        >
          {names[id]}
        </button>
      ))}
    </fieldset>
  );
}
