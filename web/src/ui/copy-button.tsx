import { Check, Copy } from "lucide-react";
import { classNames } from "./class-names.ts";
import { useCopied } from "./use-copied.ts";

interface CopyButtonProps {
  /** What is copied, for screen readers. */
  name: string;
  text: () => string;
  className?: string;
}

export function CopyButton({ name, text, className }: CopyButtonProps) {
  const [isCopied, copy] = useCopied();
  return (
    <button
      type="button"
      onClick={() => copy(text())}
      aria-label={`Copy ${name.toLowerCase()}`}
      className={classNames(
        "shrink-0 rounded p-0.5 hover:text-foreground touch:grid touch:size-10 touch:place-items-center",
        className,
      )}
    >
      {isCopied ? <Check className="size-3" /> : <Copy className="size-3" />}
    </button>
  );
}
