/** The settings of the agent behind one button, where there is no room for them in a line. */
import { ShieldAlert, SlidersHorizontal } from "lucide-react";
import { Popover } from "radix-ui";
import { useAccess } from "../access/use-access.tsx";
import type { Details } from "../chat/use-details.ts";
import { classNames } from "../ui/class-names.ts";
import { clip } from "../ui/format.ts";
import { PopoverWindow } from "../ui/popover-window.tsx";
import { AgentSettings } from "./agent-settings.tsx";
import { isAllAllowed } from "./allowed-chip.tsx";
import { AllowedNote, AlwaysAllowedList } from "./always-allowed.tsx";

interface SettingsMenuProps {
  details: Details;
  /** Only the icon. */
  isShort: boolean;
}

export function SettingsMenu({ details, isShort }: SettingsMenuProps) {
  const { session } = details;
  const { can } = useAccess();
  if (!session || !can("session.settings")) return <AllowedNote session={session} />;
  const isWarning = isAllAllowed(session);
  const model = session.models?.find(({ id }) => id === session.model)?.name ?? session.model;
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <button
          type="button"
          data-part="settings"
          data-all-allowed={isWarning || undefined}
          title={
            isWarning ? "The agent runs commands and changes files without asking" : "Settings of the agent"
          }
          className="inline-flex h-7.5 min-w-0 items-center gap-1.5 rounded-md px-2 text-muted-foreground text-xs hover:bg-hover hover:text-foreground touch:h-10 touch:min-w-10"
        >
          <span className="sr-only">Settings of the agent: </span>
          {isWarning ? (
            <span className="inline-flex h-6 shrink-0 items-center gap-1 rounded-full border border-danger-border bg-danger-soft px-2 font-medium text-2xs text-danger-text">
              <ShieldAlert className="size-3.5 shrink-0" aria-hidden="true" />
              All allowed
            </span>
          ) : (
            <SlidersHorizontal className="size-4 shrink-0" aria-hidden="true" />
          )}
          <span className={classNames("truncate", isShort && "@max-2xl:sr-only")}>
            {clip(model ?? "Settings", 60)}
          </span>
        </button>
      </Popover.Trigger>
      <PopoverWindow look="list" aria-label="Settings of the agent">
        {isWarning && (
          <p className="mb-1.5 rounded-md bg-danger-soft px-2.5 py-1.5 text-danger-text text-xs leading-5">
            The agent runs commands and changes files without asking.
          </p>
        )}
        <AgentSettings details={details} isList />
        <div className="mt-1 border-t pt-1 empty:hidden">
          <AlwaysAllowedList session={session} />
        </div>
      </PopoverWindow>
    </Popover.Root>
  );
}
