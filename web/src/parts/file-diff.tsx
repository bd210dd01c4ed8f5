/** What happened to a file: its name, how much changed, and the lines. */
import { ChevronRight, FileDiff as DiffIcon, FilePlus, FileX } from "lucide-react";
import { Collapsible } from "radix-ui";
import { useMemo, useState } from "react";
import { useConversation } from "../chat/conversation-context.ts";
import type { FileEdit } from "../chat/message-blocks.ts";
import { classNames } from "../ui/class-names.ts";
import { folderName } from "../ui/format.ts";
import { type DiffLine, parseDiff } from "./parse-diff.ts";

/** A diff longer than this is shown in part first. */
const MOST_LINES = 400;

const ICONS = { created: FilePlus, changed: DiffIcon, deleted: FileX, moved: DiffIcon };

export function FileDiff({ edit, isOpen = false }: { edit: FileEdit; isOpen?: boolean }) {
  const diff = useMemo(() => parseDiff(edit.diff ?? ""), [edit.diff]);
  const [showsAll, setShowsAll] = useState(false);
  const Icon = ICONS[edit.kind];
  const { cwd } = useConversation();
  const path =
    cwd !== undefined && edit.path.startsWith(`${cwd}/`) ? edit.path.slice(cwd.length + 1) : edit.path;
  const folder = path.slice(0, path.length - folderName(path).length).replace(/\/$/, "");
  const lines = showsAll ? diff.lines : diff.lines.slice(0, MOST_LINES);
  return (
    <Collapsible.Root
      defaultOpen={isOpen}
      disabled={diff.lines.length === 0}
      data-edit={edit.path}
      className="overflow-hidden rounded-md border bg-raised"
    >
      <Collapsible.Trigger className="group flex h-8 w-full items-center gap-2 px-2.5 text-left text-xs hover:bg-hover">
        <ChevronRight className="size-3.5 shrink-0 text-muted-foreground transition-transform group-data-[state=open]:rotate-90 group-disabled:invisible" />
        <Icon className="size-3.5 shrink-0 text-muted-foreground" aria-label={edit.kind} />
        <span className="flex min-w-0 items-baseline gap-2" title={edit.path}>
          <span className="shrink-0 font-mono">{folderName(edit.path)}</span>
          <span className="truncate text-2xs text-muted-foreground">{folder}</span>
        </span>
        {edit.from && <span className="truncate text-muted-foreground">from {edit.from}</span>}
        <span className="ml-auto shrink-0 font-mono text-2xs tabular-nums">
          {diff.added > 0 && <span className="text-success">+{diff.added}</span>}
          {diff.removed > 0 && <span className="ml-1.5 text-danger-text">−{diff.removed}</span>}
        </span>
      </Collapsible.Trigger>
      <Collapsible.Content className="max-h-96 overflow-auto border-t">
        <table className="w-full border-collapse font-mono text-[0.72rem] leading-[1.15rem]">
          <tbody>
            {lines.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a diff never move
              <Line key={index} line={line} />
            ))}
          </tbody>
        </table>
        {lines.length < diff.lines.length && (
          <button
            type="button"
            onClick={() => setShowsAll(true)}
            className="w-full border-t py-1.5 text-muted-foreground text-xs hover:bg-hover"
          >
            Show all {diff.lines.length} lines
          </button>
        )}
      </Collapsible.Content>
    </Collapsible.Root>
  );
}

const LOOKS: Readonly<Record<DiffLine["kind"], string>> = {
  added: "bg-added text-added-text",
  removed: "bg-removed text-removed-text",
  same: "",
  hunk: "bg-muted text-muted-foreground",
};

const SIGNS: Readonly<Record<DiffLine["kind"], string>> = { added: "+", removed: "−", same: " ", hunk: "⋯" };

function Line({ line }: { line: DiffLine }) {
  return (
    <tr className={LOOKS[line.kind]}>
      <td className="w-px select-none whitespace-nowrap pr-2 pl-2.5 text-right align-top text-muted-foreground/80 tabular-nums">
        {line.new ?? line.old ?? ""}
      </td>
      <td className="w-px select-none pr-2 align-top opacity-80">{SIGNS[line.kind]}</td>
      <td
        className={classNames(
          "whitespace-pre-wrap pr-3 [overflow-wrap:anywhere]",
          line.text === "" && "h-[1.15rem]",
        )}
      >
        {line.text}
      </td>
    </tr>
  );
}
