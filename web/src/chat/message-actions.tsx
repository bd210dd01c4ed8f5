/** What can be done with a message, as a row of small buttons, or as a menu where there is no room for them. */
import {
  Check,
  ChevronsDownUp,
  Copy,
  Ellipsis,
  Link2,
  type LucideIcon,
  Pencil,
  RefreshCw,
  ScanSearch,
  TextQuote,
} from "lucide-react";
import { useState } from "react";
import { useAccess } from "../access/use-access.tsx";
import { linkTo } from "../route.ts";
import { classNames } from "../ui/class-names.ts";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { useToasts } from "../ui/toasts.tsx";
import type { MessageCommands } from "./message-commands.ts";
import { messageText } from "./message-text.ts";
import type { ChatMessage } from "./page-message.ts";
import { showMessageInXray } from "./show-in-xray.ts";

interface MessageActionsProps {
  message: ChatMessage;
  session: string;
  commands: MessageCommands;
  /** Whether they are seen without pointing at the message. */
  isShown: boolean;
  /** Whether they become a menu where the window is narrow, too; they always do for fingers. */
  isNarrow?: boolean;
  onEdit?: () => void;
  onRegenerate?: () => void;
  onCollapse?: () => void;
}

interface MessageAction {
  name: string;
  icon: LucideIcon;
  /** Whether it copies, which is then said. */
  copies?: boolean;
  act: () => void;
}

export function MessageActions(props: MessageActionsProps) {
  const { isShown, isNarrow = false } = props;
  const { can } = useAccess();
  const toasts = useToasts();
  const { session, message } = props;
  const onXray = () => void showMessageInXray(session, message.id).catch(toasts.fail);
  const actions = actionsOf({ ...props, onXray: can("session.raw") ? onXray : undefined });
  return (
    <div
      data-part="actions"
      className={classNames(
        "flex shrink-0 items-center transition-opacity",
        !isShown &&
          "pointer-fine:opacity-0 focus-within:opacity-100 group-hover/message:opacity-100 has-data-[state=open]:opacity-100",
      )}
    >
      <div className={classNames("flex items-center pointer-coarse:hidden", isNarrow && "max-md:hidden")}>
        {actions.map(({ copies, act, ...rest }) =>
          copies ? (
            <CopyAction key={rest.name} {...rest} onClick={act} />
          ) : (
            <Action key={rest.name} {...rest} onClick={act} />
          ),
        )}
      </div>
      <ActionMenu actions={actions} isNarrow={isNarrow} />
    </div>
  );
}

function actionsOf(props: MessageActionsProps & { onXray?: () => void }): MessageAction[] {
  const { message, session, commands, onEdit, onRegenerate, onCollapse, onXray } = props;
  const text = messageText(message);
  const { quote } = commands;
  const link = () => new URL(linkTo({ view: "session", session, message: message.id }), location.href).href;
  const copy = (what: string) => void navigator.clipboard?.writeText(what).catch(() => {});
  const actions: (MessageAction | false | undefined)[] = [
    text !== "" && { name: "Copy", icon: Copy, copies: true, act: () => copy(text) },
    onEdit && { name: "Edit", icon: Pencil, act: onEdit },
    text !== "" &&
      quote && { name: "Quote", icon: TextQuote, act: () => quote(selectedIn(message.id) ?? text) },
    onRegenerate && { name: "Answer again", icon: RefreshCw, act: onRegenerate },
    { name: "Copy link", icon: Link2, copies: true, act: () => copy(link()) },
    onXray && { name: "Show in X-ray", icon: ScanSearch, act: onXray },
    onCollapse && { name: "Collapse", icon: ChevronsDownUp, act: onCollapse },
  ];
  return actions.filter((action): action is MessageAction => Boolean(action));
}

/** What is selected inside of a message: only that is quoted. */
function selectedIn(message: string): string | undefined {
  const selection = getSelection();
  const text = selection?.toString().trim();
  const around = selection?.anchorNode?.parentElement?.closest("[data-message]");
  return text && around?.getAttribute("data-message") === message ? text : undefined;
}

interface ActionProps {
  name: string;
  icon: LucideIcon;
  onClick: () => void;
}

/** One of the buttons; others add theirs with it. */
export function Action({ name, icon: Icon, onClick }: ActionProps) {
  return (
    <button
      type="button"
      aria-label={name}
      title={name}
      // What is selected stays selected.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onClick}
      className="grid size-7 shrink-0 place-items-center rounded-md text-muted-foreground hover:bg-hover hover:text-foreground touch:size-10"
    >
      <Icon className="size-3.5" aria-hidden="true" />
    </button>
  );
}

function CopyAction({ onClick, icon, ...rest }: ActionProps) {
  const [isCopied, setIsCopied] = useState(false);
  function copy() {
    onClick();
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), 1500);
  }
  return (
    <>
      <Action {...rest} icon={isCopied ? Check : icon} onClick={copy} />
      <span role="status" className="sr-only">
        {isCopied ? "Copied" : ""}
      </span>
    </>
  );
}

function ActionMenu({ actions, isNarrow }: { actions: readonly MessageAction[]; isNarrow: boolean }) {
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          aria-label="More"
          className={classNames(
            "size-10 place-items-center rounded-md text-muted-foreground hover:bg-hover",
            isNarrow ? "max-md:grid pointer-coarse:grid pointer-fine:md:hidden" : "grid pointer-fine:hidden",
          )}
        >
          <Ellipsis className="size-4" aria-hidden="true" />
        </button>
      }
    >
      {actions.map(({ name, icon: Icon, act }) => (
        <MenuItem key={name} icon={<Icon className="text-muted-foreground" />} onSelect={act} name={name} />
      ))}
    </Menu>
  );
}
