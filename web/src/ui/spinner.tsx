import { LoaderCircle } from "lucide-react";

export function Spinner({ label }: { label: string }) {
  return (
    <LoaderCircle
      aria-label={label}
      role="img"
      className="size-3.5 shrink-0 animate-spin text-primary-text"
    />
  );
}
