/** What can be done with a session as a whole: one menu for its row and for the top of its conversation. */
import {
  Archive,
  ArchiveRestore,
  CircleX,
  Ellipsis,
  GitBranchPlus,
  GitFork,
  Link,
  Pencil,
  Pin,
  PinOff,
  SquareCheck,
  Trash2,
} from "lucide-react";
import { type ReactNode, useRef } from "react";
import { useAccess } from "../access/use-access.tsx";
import type { SessionSummary } from "../feed/feed-state.ts";
import { IconButton } from "../ui/button.tsx";
import { Menu, MenuItem, MenuLine } from "../ui/menu.tsx";
import { useSessionActions } from "./use-session-actions.tsx";

interface SessionMenuProps {
  session: SessionSummary;
  /** What the button is called. */
  label: string;
  onRename: () => void;
  /** Begins to choose several, with this one. */
  onChoose?: () => void;
  /** Whoever opens it by other means than its button says both. */
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  /** More items, above the others. */
  children?: ReactNode;
  /** Of its button. */
  tabIndex?: number;
  className?: string;
}

/** Nothing for those who may only read. */
export function SessionMenu(props: SessionMenuProps) {
  const { session, label, onRename, onChoose, isOpen, onOpenChange, children, tabIndex, className } = props;
  const { can } = useAccess();
  const actions = useSessionActions();
  const isRenaming = useRef(false);
  const { session: id, pinned, archived, status } = session;
  const canChange = can("session.settings");
  const canClose = can("session.close") && status !== "closed";
  const canDelete = can("session.delete");
  if (!canChange && !can("session.fork") && !canClose && !canDelete && !can("session.invite")) return null;
  return (
    <Menu
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      trigger={<IconButton icon={Ellipsis} label={label} tabIndex={tabIndex} className={className} />}
      onCloseAutoFocus={(event) => {
        // The field has it.
        if (isRenaming.current) event.preventDefault();
        isRenaming.current = false;
      }}
    >
      {children}
      {canChange && (
        <>
          <MenuItem
            icon={pinned ? <PinOff /> : <Pin />}
            onSelect={() => void actions.pin([id], !pinned)}
            name={pinned ? "Unpin" : "Pin"}
          />
          <MenuItem
            icon={<Pencil />}
            onSelect={() => {
              isRenaming.current = true;
              onRename();
            }}
            name="Rename"
          />
          <MenuItem
            icon={archived ? <ArchiveRestore /> : <Archive />}
            onSelect={() => void actions.archive([id], !archived)}
            name={archived ? "Back to the list" : "Archive"}
          />
        </>
      )}
      {can("session.fork") && (
        <>
          <MenuItem icon={<GitFork />} onSelect={() => void actions.fork(id)} name="Fork" />
          <MenuItem
            icon={<GitBranchPlus />}
            onSelect={() => void actions.fork(id, { worktree: true })}
            name="Fork into a worktree"
          />
        </>
      )}
      <MenuItem icon={<Link />} onSelect={() => actions.copyLink(id)} name="Copy link" />
      {onChoose && <MenuItem icon={<SquareCheck />} onSelect={onChoose} name="Select" />}
      {(canClose || canDelete) && <MenuLine />}
      {canClose && <MenuItem icon={<CircleX />} onSelect={() => actions.close([id])} name="Close…" />}
      {canDelete && (
        <MenuItem icon={<Trash2 />} isDanger onSelect={() => actions.remove([id])} name="Delete" />
      )}
    </Menu>
  );
}
