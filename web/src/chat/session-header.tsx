/** Which session this is, how it stands, and what can be done with it as a whole. */
import { Archive, FileDiff, ListTodo, PanelRight, ScanSearch, UserPlus } from "lucide-react";
import { memo, type ReactNode, useMemo, useState } from "react";
import { nodeLabels } from "../../../src/core/node-labels.ts";
import { useAccess } from "../access/use-access.tsx";
import { useStatusNames } from "../access/use-status-names.ts";
import { useAgentNames } from "../agents/use-agent-names.ts";
import type { SessionSummary } from "../feed/feed-state.ts";
import { useFeed } from "../feed/use-feed.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { Watchers } from "../people/watchers.tsx";
import { linkTo, useRoute } from "../route.ts";
import { RenameField } from "../sessions/rename-field.tsx";
import { SessionMenu } from "../sessions/session-menu.tsx";
import { useSessionActions } from "../sessions/use-session-actions.tsx";
import { useSessionTitle } from "../sessions/use-session-title.ts";
import { useCommand, useCommands } from "../shell/use-command.tsx";
import { AgentIcon } from "../ui/agent-icon.tsx";
import { classNames } from "../ui/class-names.ts";
import { folderName } from "../ui/format.ts";
import { MenuItem, MenuLine } from "../ui/menu.tsx";
import { STOPPING, StatusDot } from "../ui/status-dot.tsx";

interface SessionHeaderProps {
  summary: SessionSummary;
  /** Whether its turn was told to stop. */
  isStopping: boolean;
  menu: ReactNode;
  asks: ReactNode;
}

export const SessionHeader = memo(function SessionHeader(props: SessionHeaderProps) {
  const { summary, isStopping, menu, asks } = props;
  const { session, status, cwd, archived, forkedFrom, node, nodeNumber } = summary;
  const title = useSessionTitle(session, summary);
  const agentName = useAgentNames()(summary.agent);
  const [isRenaming, setIsRenaming] = useState(false);
  const { can } = useAccess();
  const names = useStatusNames();
  const statusNames = isStopping ? { ...names, [status]: STOPPING } : names;
  const actions = useSessionActions();
  const commands = useCommands();
  const canChange = can("session.settings");
  useCommand("pin", () => void actions.pin([session], !summary.pinned), canChange);
  useCommand("rename", () => setIsRenaming(true), canChange);
  useCommand("archive", () => void actions.archive([session], !archived), canChange);
  useCommand("fork", () => void actions.fork(session), can("session.fork"));
  useCommand("delete", () => actions.remove([session]), can("session.delete"));
  return (
    <header className="flex h-12 shrink-0 items-center gap-2 border-b px-2 md:pr-3 md:pl-5">
      {menu}
      <div className="flex min-w-0 flex-1 flex-col md:flex-row md:items-center md:gap-2">
        {isRenaming ? (
          <RenameField
            session={session}
            title={title.isUnnamed ? "" : title.text}
            onDone={() => setIsRenaming(false)}
            className="h-8 w-full max-w-md touch:h-10"
          />
        ) : (
          <Title text={title.text} onRename={canChange ? () => setIsRenaming(true) : undefined} />
        )}
        <p className="flex min-w-0 items-center gap-1.5 text-2xs text-muted-foreground max-md:h-4 md:max-w-[60%] md:shrink-0 md:text-xs touch:pointer-events-none">
          <AgentIcon agent={summary.agent} className="size-4! max-md:size-3.5!" />
          <span className="truncate">
            {agentName}
            {cwd && (
              <>
                {" · "}
                <span title={cwd}>{folderName(cwd)}</span>
              </>
            )}
            {forkedFrom && <Origin session={forkedFrom.session} />}
            {node !== undefined && (
              <>
                {" · "}
                <NodeName node={node} nodeNumber={nodeNumber} />
              </>
            )}
          </span>
          {archived && (
            <span className="inline-flex shrink-0 items-center gap-1 rounded-full bg-muted px-1.5 py-px">
              <Archive aria-hidden="true" className="size-3" /> Archived
            </span>
          )}
        </p>
      </div>
      <span
        data-session-status={status}
        className="flex shrink-0 items-center gap-1.5 whitespace-nowrap text-muted-foreground text-xs in-data-lost:opacity-60 max-md:[&>span:last-child]:sr-only"
      >
        <StatusDot status={status} names={statusNames} />
        <span aria-hidden="true">{statusNames[status]}</span>
      </span>
      <Watchers session={session} />
      <PanelLink session={session} />
      {asks}
      <SessionMenu session={summary} label="Session actions" onRename={() => setIsRenaming(true)}>
        {can("session.invite") && (
          <>
            <MenuItem icon={<UserPlus />} onSelect={() => commands.run("invite")} name="Invite…" />
            <MenuLine />
          </>
        )}
        <MenuItem icon={<FileDiff />} onSelect={() => commands.run("files")} name="Changed files" />
        <MenuItem icon={<ListTodo />} onSelect={() => commands.run("tasks")} name="Background tasks" />
        {can("session.raw") && (
          <MenuItem icon={<ScanSearch />} onSelect={() => commands.run("xray")} name="X-ray" />
        )}
        <MenuLine />
      </SessionMenu>
    </header>
  );
});

interface TitleProps {
  text: string;
  /** Undefined for those who may not. */
  onRename: (() => void) | undefined;
}

function Title({ text, onRename }: TitleProps) {
  return (
    <h1 className="flex min-w-0 font-semibold leading-5">
      {onRename ? (
        <button
          type="button"
          title="Rename"
          onClick={onRename}
          className="-ml-1.5 cursor-text! truncate rounded-md px-1.5 text-left hover:bg-hover touch:-my-2.5 touch:h-10"
        >
          <VisibleText text={text} />
        </button>
      ) : (
        <span className="truncate">
          <VisibleText text={text} />
        </span>
      )}
    </h1>
  );
}

/** The session it began as a copy of, where this person has it. */
function Origin({ session }: { session: string }) {
  const origin = useFeed().sessions.get(session);
  const { text } = useSessionTitle(session, origin);
  if (!origin) return null;
  return (
    <>
      {" · fork of "}
      <a
        href={linkTo({ view: "session", session })}
        className="pointer-events-auto underline-offset-2 hover:underline"
      >
        {text}
      </a>
    </>
  );
}

/** The node that has a session, beside its directory. */
function NodeName({ node, nodeNumber }: Pick<SessionSummary, "node" | "nodeNumber">) {
  const { sessions } = useFeed();
  const labelOf = useMemo(() => nodeLabels(sessions.values()), [sessions]);
  const number = nodeNumber === undefined ? "" : `, number ${nodeNumber}`;
  return (
    <span data-node title={`The node that has this session${number}`}>
      {labelOf({ node, nodeNumber })}
    </span>
  );
}

/** Leads to what stands beside the session, and back. */
function PanelLink({ session }: { session: string }) {
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
