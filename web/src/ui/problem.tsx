/** Why something did not work. Screen readers say it at once. */
import { classNames } from "./class-names.ts";

const LOOKS = {
  line: "text-danger-text text-xs",
  box: "rounded-md bg-danger-soft px-3 py-2 text-danger-text text-xs leading-5",
  frame: "rounded-lg border border-danger-border bg-danger-soft px-3 py-2 text-danger-text text-xs leading-5",
};

interface ProblemProps {
  /** Nothing is shown without a text. */
  text: string | undefined;
  look?: keyof typeof LOOKS;
  id?: string;
  className?: string;
}

export function Problem({ text, look = "line", id, className }: ProblemProps) {
  if (!text) return null;
  return (
    <p role="alert" id={id} className={classNames(LOOKS[look], className)}>
      {text}
    </p>
  );
}
