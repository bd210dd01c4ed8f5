/** One session in the list: a link to it, with its menu beside. While several are chosen it is a box to tick. */
import { type CSSProperties, type KeyboardEvent, memo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useAccess } from "../access/use-access.tsx";
import { linkTo } from "../route.ts";
import { classNames } from "../ui/class-names.ts";
import { useLongPress } from "../ui/use-long-press.ts";
import type { ListedRow } from "./fork-tree.ts";
import { RenameField } from "./rename-field.tsx";
import { SessionFace, type SessionFaceProps } from "./session-face.tsx";
import { SessionMenu } from "./session-menu.tsx";
import { useSessionActions } from "./use-session-actions.tsx";
import { useSessionTitle } from "./use-session-title.ts";

/** Forks of forks of forks are not moved further. */
const MAX_INDENTS = 4;

interface SessionRowProps
  extends ListedRow,
    Pick<SessionFaceProps, "now" | "waitingSince" | "tellsAgent" | "directory"> {
  isCurrent: boolean;
  /** Undefined while none are being chosen. */
  isChosen: boolean | undefined;
  /** Undefined where several cannot be chosen. */
  onChoose?: (session: string, isRange: boolean) => void;
  onOpen: () => void;
  /** Whether Tab leads here; then its menu is opened by a key. Undefined where Tab leads to each row and each menu. */
  isTabStop?: boolean;
}

const ROW =
  "w-full items-center gap-x-2 rounded-md py-1.5 pr-2 pl-[calc(0.5rem+var(--indent)*0.875rem)] text-left touch:min-h-11";
const FACE = "grid grid-cols-[0.875rem_1fr_auto] items-center gap-x-1.5";

export const SessionRow = memo(function SessionRow(props: SessionRowProps) {
  const { session, depth, now, waitingSince, tellsAgent, directory } = props;
  const { isCurrent, isChosen, onChoose, onOpen, isTabStop } = props;
  const { session: id } = session;
  const actions = useSessionActions();
  const { can } = useAccess();
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const press = useLongPress(() => setIsMenuOpen(true));
  const [isRenaming, setIsRenaming] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  const title = useSessionTitle(id, session);
  const style = { "--indent": Math.min(depth, MAX_INDENTS) } as CSSProperties;
  const face = (
    <SessionFace
      session={session}
      title={title}
      now={now}
      isFork={depth > 0 || session.forkedFrom !== undefined}
      waitingSince={waitingSince}
      tellsAgent={tellsAgent}
      directory={directory}
    />
  );

  /** Begins to choose several; the box that stands for the row has the focus. */
  function choose(isRange: boolean) {
    flushSync(() => onChoose?.(id, isRange));
    box.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === "." || event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey))
      setIsMenuOpen(true);
    else if (event.key === "F2" && can("session.settings")) setIsRenaming(true);
    else if (event.key === "Delete" && can("session.delete")) actions.remove([id]);
    else if (event.key.toLowerCase() === "s" && onChoose) choose(event.shiftKey);
    else return;
    event.preventDefault();
  }

  if (isRenaming) {
    return (
      <div className={classNames(ROW, "bg-selected")} style={style}>
        <RenameField
          session={id}
          title={title.isUnnamed ? "" : title.text}
          onDone={() => setIsRenaming(false)}
          className="my-0.5 h-8 w-full touch:h-10"
        />
      </div>
    );
  }
  if (isChosen !== undefined) {
    return (
      <label
        data-choice={id}
        style={style}
        className={classNames(
          ROW,
          "flex cursor-pointer select-none",
          isChosen ? "bg-primary-soft" : "hover:bg-hover",
        )}
      >
        <input
          ref={box}
          type="checkbox"
          checked={isChosen}
          onChange={(event) => onChoose?.(id, (event.nativeEvent as MouseEvent).shiftKey)}
          className="shrink-0"
        />
        <span className={classNames(FACE, "min-w-0 flex-1")}>{face}</span>
      </label>
    );
  }
  return (
    <div className="group/row relative">
      <a
        href={linkTo({ view: "session", session: id })}
        data-session={id}
        data-status={session.status}
        aria-current={isCurrent ? "page" : undefined}
        tabIndex={isTabStop === false ? -1 : undefined}
        {...press}
        onClick={onOpen}
        onKeyDown={onKeyDown}
        style={style}
        className={classNames(
          ROW,
          FACE,
          "touch:select-none touch:[-webkit-touch-callout:none]",
          isCurrent && "touch:pr-11",
          isCurrent
            ? "bg-selected"
            : "group-hover/row:bg-hover group-has-[button[data-state=open]]/row:bg-hover",
        )}
      >
        {face}
      </a>
      <SessionMenu
        session={session}
        label={`Actions of ${title.text}`}
        onRename={() => setIsRenaming(true)}
        onChoose={onChoose && (() => choose(false))}
        isOpen={isMenuOpen}
        onOpenChange={setIsMenuOpen}
        tabIndex={isTabStop === undefined ? undefined : -1}
        className={classNames(
          "absolute top-0.75 right-1 size-6.5 opacity-0 focus-visible:opacity-100 pointer-fine:data-[state=open]:opacity-100 touch:inset-y-0 touch:my-auto touch:size-10 pointer-fine:group-hover/row:opacity-100",
          // A finger holds the other rows down instead: their titles need the room.
          isCurrent
            ? "touch:opacity-100"
            : "touch:not-focus-visible:not-data-[state=open]:pointer-events-none",
        )}
      />
    </div>
  );
});
