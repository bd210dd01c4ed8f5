/** How many asks wait for this person, and the way to all of them. */
import { Inbox } from "lucide-react";
import { IconButton } from "../ui/button.tsx";

export function AsksButton({ count, onClick }: { count: number; onClick: () => void }) {
  const label = count === 0 ? "No open asks" : `${count} open ${count === 1 ? "ask" : "asks"}`;
  return (
    <IconButton icon={Inbox} label={label} title={`${label} (w)`} onClick={onClick} className="relative">
      {count > 0 && (
        <span className="absolute -top-0.5 -right-0.5 grid touch:top-0.5 touch:right-0.5 h-4 min-w-4 place-items-center rounded-full bg-waiting px-1 font-semibold text-[0.625rem] text-black tabular-nums leading-none">
          {count}
        </span>
      )}
    </IconButton>
  );
}
