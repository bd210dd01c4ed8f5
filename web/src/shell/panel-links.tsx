/** Leads from a session to what stands beside it, and back. */
import { PanelRight } from "lucide-react";
import { linkTo, useRoute } from "../route.ts";
import { classNames } from "../ui/class-names.ts";

export function PanelLinks({ session }: { session: string }) {
  const route = useRoute();
  const isOpen = route.view === "session" && route.panel !== undefined;
  return (
    <a
      href={linkTo({ view: "session", session, ...(!isOpen && { panel: "files" }) })}
      aria-label={isOpen ? "Close the panel" : "Files and history"}
      title={isOpen ? "Close the panel" : "Files and history"}
      className={classNames(
        "inline-flex size-7.5 shrink-0 items-center justify-center rounded-md text-soft hover:bg-hover hover:text-foreground touch:size-10 [&_svg]:size-4",
        isOpen && "bg-selected text-foreground",
      )}
    >
      <PanelRight />
    </a>
  );
}
