/** What happened to a file: its name, how much changed, and the lines. */
import { ChevronRight, FileDiff as DiffIcon, FilePlus, FileX } from "lucide-react";
import { Collapsible } from "radix-ui";
import { useMemo } from "react";
import { useConversation } from "../chat/conversation-context.ts";
import type { FileEdit } from "../chat/message-blocks.ts";
import { BoundedList } from "../ui/bounded-list.tsx";
import { classNames } from "../ui/class-names.ts";
import { clip, folderName } from "../ui/format.ts";
import { type DiffLine, parseDiff } from "./parse-diff.ts";
import { PlainText } from "./plain-text.tsx";

/** How many lines of a diff are shown at first, and how many more with each press. */
const STEP = 200;

/** A longer line is not laid out whole. */
const LONG_LINE = 2000;

/** Changes of several files. */
export function FileDiffs({ edits }: { edits: readonly FileEdit[] }) {
  return (
    <BoundedList items={edits} step={20} name="files">
      {(edit, index) => <FileDiff key={`${index} ${edit.path}`} edit={edit} isOpen />}
    </BoundedList>
  );
}

const ICONS = { created: FilePlus, changed: DiffIcon, deleted: FileX, moved: DiffIcon };

export function FileDiff({ edit, isOpen = false }: { edit: FileEdit; isOpen?: boolean }) {
  const diff = useMemo(() => parseDiff(edit.diff ?? ""), [edit.diff]);
  const Icon = ICONS[edit.kind];
  const { cwd } = useConversation();
  const path =
    cwd !== undefined && edit.path.startsWith(`${cwd}/`) ? edit.path.slice(cwd.length + 1) : edit.path;
  const folder = path.slice(0, path.length - folderName(path).length).replace(/\/$/, "");
  return (
    <Collapsible.Root
      defaultOpen={isOpen}
      disabled={diff.lines.length === 0}
      data-edit={clip(edit.path)}
      className="overflow-hidden rounded-md border bg-raised"
    >
      <Collapsible.Trigger className="group flex h-8 w-full items-center gap-2 px-2.5 text-left text-xs hover:bg-hover">
        <ChevronRight className="size-3.5 shrink-0 text-muted-foreground transition-transform group-data-[state=open]:rotate-90 group-disabled:invisible" />
        <Icon className="size-3.5 shrink-0 text-muted-foreground" aria-label={edit.kind} />
        <span className="flex min-w-0 items-baseline gap-2" title={clip(edit.path)}>
          <span className="max-w-full shrink-0 truncate font-mono">{clip(folderName(edit.path))}</span>
          <span className="truncate text-2xs text-muted-foreground">{clip(folder)}</span>
        </span>
        {edit.from && <span className="truncate text-muted-foreground">from {clip(edit.from)}</span>}
        <span className="ml-auto shrink-0 font-mono text-2xs tabular-nums">
          {diff.added > 0 && <span className="text-success">+{diff.added}</span>}
          {diff.removed > 0 && <span className="ml-1.5 text-danger-text">−{diff.removed}</span>}
        </span>
      </Collapsible.Trigger>
      <Collapsible.Content className="max-h-96 overflow-auto border-t">
        <table className="w-full border-collapse font-mono text-[0.72rem] leading-[1.15rem]">
          <tbody>
            <BoundedList
              items={diff.lines}
              step={STEP}
              name="lines"
              wrap={(button) => (
                <tr>
                  <td colSpan={3} className="p-1">
                    {button}
                  </td>
                </tr>
              )}
            >
              {(line, index) => <Line key={index} line={line} />}
            </BoundedList>
          </tbody>
        </table>
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
        {line.text.length > LONG_LINE ? <PlainText text={line.text} /> : line.text}
      </td>
    </tr>
  );
}
