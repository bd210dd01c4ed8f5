/** Which session this is, how it stands, and what can be done with it as a whole. */
import { Archive, Ellipsis, Pencil, Trash2, UserPlus } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { type FormEvent, type ReactNode, useState } from "react";
import { useAccess } from "../access/use-access.tsx";
import { useStatusNames } from "../access/use-status-names.ts";
import { daemon } from "../api/client.ts";
import { messageOf } from "../api/error-text.ts";
import type { SessionSummary } from "../feed/feed-state.ts";
import { ShareDialog } from "../people/share-dialog.tsx";
import { Watchers } from "../people/watchers.tsx";
import { openSession } from "../route.ts";
import { useSessionTitle } from "../sessions/use-session-title.ts";
import { PanelLinks } from "../shell/panel-links.tsx";
import { Button } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Field, TextInput } from "../ui/field.tsx";
import { folderName } from "../ui/format.ts";
import { StatusDot } from "../ui/status-dot.tsx";
import type { Details } from "./use-details.ts";

interface SessionHeaderProps {
  summary: SessionSummary;
  details: Details;
  menu: ReactNode;
  asks: ReactNode;
}

type Doing = "share" | "rename" | "close" | "delete";

export function SessionHeader({ summary, details, menu, asks }: SessionHeaderProps) {
  const title = useSessionTitle(summary.session, summary);
  const [doing, setDoing] = useState<Doing>();
  const { session } = details;
  const { can } = useAccess();
  const statusNames = useStatusNames();
  const canShare = can("session.invite");
  const canRename = can("session.settings");
  const canClose = can("session.close") && summary.status !== "closed";
  const canDelete = can("session.delete");
  return (
    <header className="flex h-12 shrink-0 items-center gap-2 border-b px-2 md:pr-3 md:pl-5">
      {menu}
      <div className="flex min-w-0 flex-1 flex-col md:flex-row md:items-baseline md:gap-3">
        <h1 className="truncate font-semibold leading-5">{title.text}</h1>
        <p className="truncate text-2xs text-muted-foreground md:text-xs">
          {summary.agent}
          {session?.cwd && (
            <>
              {" · "}
              <span title={session.cwd}>{folderName(session.cwd)}</span>
            </>
          )}
        </p>
      </div>
      <span
        data-session-status={summary.status}
        className="flex shrink-0 items-center gap-1.5 whitespace-nowrap text-muted-foreground text-xs max-md:[&>span:last-child]:sr-only"
      >
        <StatusDot status={summary.status} names={statusNames} />
        <span aria-hidden="true">{statusNames[summary.status]}</span>
      </span>
      <Watchers session={summary.session} />
      <PanelLinks session={summary.session} />
      {asks}
      {(canShare || canRename || canClose || canDelete) && (
        <DropdownMenu.Root modal={false}>
          <DropdownMenu.Trigger asChild>
            <Button look="ghost" size="icon" aria-label="Session actions">
              <Ellipsis />
            </Button>
          </DropdownMenu.Trigger>
          <DropdownMenu.Portal>
            <DropdownMenu.Content
              align="end"
              sideOffset={4}
              className="z-50 min-w-44 rounded-lg bg-raised p-1 shadow-pop animate-rise"
            >
              {canShare && (
                <Item icon={<UserPlus />} onSelect={() => setDoing("share")}>
                  Invite…
                </Item>
              )}
              {canRename && (
                <Item icon={<Pencil />} onSelect={() => setDoing("rename")}>
                  Rename…
                </Item>
              )}
              {canClose && (
                <Item icon={<Archive />} onSelect={() => setDoing("close")}>
                  Close…
                </Item>
              )}
              {canDelete && (
                <Item icon={<Trash2 />} isDanger onSelect={() => setDoing("delete")}>
                  Delete…
                </Item>
              )}
            </DropdownMenu.Content>
          </DropdownMenu.Portal>
        </DropdownMenu.Root>
      )}
      <SessionDialogs doing={doing} summary={summary} details={details} onDone={() => setDoing(undefined)} />
    </header>
  );
}

interface ItemProps {
  icon: ReactNode;
  children: ReactNode;
  isDanger?: boolean;
  onSelect: () => void;
}

function Item({ icon, children, isDanger, onSelect }: ItemProps) {
  return (
    <DropdownMenu.Item
      onSelect={onSelect}
      className={classNames(
        "flex h-7.5 cursor-default select-none items-center gap-2 rounded-md px-2 text-[0.8125rem] outline-none data-highlighted:bg-hover [&_svg]:size-3.5",
        isDanger && "text-danger-text",
      )}
    >
      {icon}
      {children}
    </DropdownMenu.Item>
  );
}

interface SessionDialogsProps {
  doing: Doing | undefined;
  summary: SessionSummary;
  details: Details;
  onDone: () => void;
}

function SessionDialogs({ doing, summary, details, onDone }: SessionDialogsProps) {
  return (
    <>
      <ShareDialog session={summary.session} isOpen={doing === "share"} onClose={onDone} />
      <Dialog isOpen={doing === "rename"} onClose={onDone} title="Rename session">
        <RenameForm
          title={summary.title ?? ""}
          onDone={onDone}
          onRename={(title) => details.update({ title })}
        />
      </Dialog>
      <Dialog
        isOpen={doing === "close"}
        onClose={onDone}
        title="Close this session?"
        description="Its agent is ended. The conversation stays readable, but takes no more prompts."
      >
        <Confirm
          label="Close session"
          onCancel={onDone}
          onConfirm={() => details.update({ status: "closed" }).then(onDone)}
        />
      </Dialog>
      <Dialog
        isOpen={doing === "delete"}
        onClose={onDone}
        title="Delete this session?"
        description="Its agent is ended, and the log and everything the agent sent are removed for good. Files in the directory stay."
      >
        <Confirm
          label="Delete session"
          onCancel={onDone}
          onConfirm={async () => {
            await daemon().call("DELETE /v1/sessions/{id}", { params: { id: summary.session } });
            openSession(undefined);
          }}
        />
      </Dialog>
    </>
  );
}

interface ConfirmProps {
  label: string;
  onCancel: () => void;
  onConfirm: () => Promise<void>;
}

function Confirm({ label, onCancel, onConfirm }: ConfirmProps) {
  const [problem, setProblem] = useState<string>();
  return (
    <div className="mt-5">
      {problem && (
        <p role="alert" className="mb-3 text-danger-text text-xs">
          {problem}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button look="ghost" onClick={onCancel}>
          Cancel
        </Button>
        <Button look="danger" onClick={() => onConfirm().catch((error) => setProblem(messageOf(error)))}>
          {label}
        </Button>
      </div>
    </div>
  );
}

interface RenameFormProps {
  title: string;
  onDone: () => void;
  onRename: (title: string) => Promise<void>;
}

function RenameForm({ title, onDone, onRename }: RenameFormProps) {
  const [text, setText] = useState(title);
  const [problem, setProblem] = useState<string>();
  function submit(event: FormEvent) {
    event.preventDefault();
    onRename(text.trim()).then(onDone, (error) => setProblem(messageOf(error)));
  }
  return (
    <form onSubmit={submit} className="mt-3">
      <Field label="Title" hint={problem}>
        {(ids) => (
          <TextInput
            {...ids}
            autoFocus
            maxLength={500}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <div className="mt-4 flex justify-end gap-2">
        <Button look="ghost" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" look="primary" disabled={text.trim() === ""}>
          Rename
        </Button>
      </div>
    </form>
  );
}
