/** What happened to a file: its name, how much changed, and the lines. */
import { ChevronRight, Columns2, Rows2, Undo2 } from "lucide-react";
import { Collapsible } from "radix-ui";
import { useContext, useMemo } from "react";
import { useConversation } from "../chat/conversation-context.ts";
import type { FileEdit } from "../chat/message-blocks.ts";
import { UndoneContext } from "../files/use-restores.ts";
import { BoundedList } from "../ui/bounded-list.tsx";
import { classNames } from "../ui/class-names.ts";
import { clip, folderName } from "../ui/format.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { NotLoaded } from "../ui/not-loaded.tsx";
import { isWholeFile, parseDiff } from "./parse-diff.ts";
import { withoutDirectory } from "./relative-path.ts";
import { useDiffLayout } from "./use-diff-layout.ts";
import { VisibleText } from "./visible-text.tsx";

/** What compares and colours lines comes when the first diff is shown. */
const DiffTable = lazyPart(
  () => import("./diff-table.tsx"),
  NotLoaded,
  () => <p className="px-3 py-2 text-muted-foreground text-xs">Loading the changes</p>,
);

/** Changes of several files. */
export function FileDiffs({ edits }: { edits: readonly FileEdit[] }) {
  return (
    <BoundedList items={edits} step={20} name="files">
      {(edit, index) => <FileDiff key={`${index} ${edit.path}`} edit={edit} isOpen />}
    </BoundedList>
  );
}

/** As in every list of changes that people know. */
const KINDS: Readonly<Record<FileEdit["kind"], { letter: string; name: string; color: string }>> = {
  created: { letter: "A", name: "Added", color: "text-success" },
  changed: { letter: "M", name: "Changed", color: "text-waiting-text" },
  deleted: { letter: "D", name: "Deleted", color: "text-danger-text" },
  moved: { letter: "R", name: "Moved", color: "text-primary-text" },
};

/** Whether it is added or changed is not known. */
const WRITTEN = { letter: "", name: "Written", color: "" };

export function FileDiff({ edit, isOpen = false }: { edit: FileEdit; isOpen?: boolean }) {
  const diff = useMemo(() => parseDiff(edit.diff ?? ""), [edit.diff]);
  const kind = isWholeFile(edit) ? WRITTEN : KINDS[edit.kind];
  const isUndone = useContext(UndoneContext).has(edit.path);
  const { cwd } = useConversation();
  const path = withoutDirectory(edit.path, cwd);
  const { layout, canSplit } = useDiffLayout();
  const folder = path.slice(0, path.length - folderName(path).length).replace(/\/$/, "");
  return (
    <Collapsible.Root
      defaultOpen={isOpen}
      disabled={diff.lines.length === 0}
      data-edit={clip(edit.path)}
      className={classNames("overflow-hidden rounded-md border bg-raised", isUndone && "border-dashed")}
    >
      <div className="group/head flex items-center">
        <Collapsible.Trigger className="group flex h-8 min-w-0 flex-1 items-center gap-2 px-2.5 text-left text-xs hover:bg-hover touch:h-10">
          <ChevronRight className="size-3.5 shrink-0 text-muted-foreground transition-transform group-data-[state=open]:rotate-90 group-disabled:invisible" />
          <span
            role="img"
            aria-label={kind.name}
            title={kind.name}
            className={classNames("w-3 shrink-0 text-center font-mono font-semibold text-2xs", kind.color)}
          >
            {kind.letter}
          </span>
          <span className="flex min-w-0 items-baseline gap-2" title={clip(edit.path)}>
            <span className="max-w-full shrink-0 truncate font-mono">
              <VisibleText text={clip(folderName(edit.path))} />
            </span>
            <span className="truncate text-2xs text-muted-foreground">
              <VisibleText text={clip(folder)} />
            </span>
          </span>
          {edit.from && (
            <span className="truncate text-muted-foreground">
              from {clip(withoutDirectory(edit.from, cwd))}
            </span>
          )}
          {isUndone && <UndoneMark />}
          <span
            className={classNames(
              "shrink-0 font-mono text-2xs tabular-nums",
              isUndone ? "line-through grayscale" : "ml-auto",
            )}
          >
            {diff.added > 0 && <span className="text-success">+{diff.added}</span>}
            {diff.removed > 0 && <span className="ml-1.5 text-danger-text">−{diff.removed}</span>}
          </span>
        </Collapsible.Trigger>
        {canSplit && diff.added > 0 && diff.removed > 0 && <LayoutButton />}
      </div>
      <Collapsible.Content
        className={classNames("max-h-96 overflow-auto border-t", isUndone && "opacity-75 grayscale")}
      >
        <DiffTable path={edit.path} lines={diff.lines} layout={layout} />
      </Collapsible.Content>
    </Collapsible.Root>
  );
}

/** The lines alone, for a card that names the file already: they fill it from edge to edge. */
export function BareDiff({ edit }: { edit: FileEdit }) {
  const diff = useMemo(() => parseDiff(edit.diff ?? ""), [edit.diff]);
  const { layout, canSplit } = useDiffLayout();
  const isUndone = useContext(UndoneContext).has(edit.path);
  if (diff.lines.length === 0) return <FileDiff edit={edit} />;
  return (
    <div
      data-edit={clip(edit.path)}
      className="group/diff relative -mx-3 not-last:border-b first:-mt-2.5 last:-mb-2.5"
    >
      {isUndone && (
        <p className="flex border-b px-3 py-1">
          <UndoneMark />
        </p>
      )}
      <div className={classNames("max-h-96 overflow-auto", isUndone && "opacity-75 grayscale")}>
        <DiffTable path={edit.path} lines={diff.lines} layout={layout} />
      </div>
      {canSplit && diff.added > 0 && diff.removed > 0 && (
        <div className="absolute top-1 right-1 rounded bg-raised opacity-0 focus-within:opacity-100 group-hover/diff:opacity-100">
          <LayoutButton />
        </div>
      )}
    </div>
  );
}

/** What is shown went back and is not in the file any more. */
function UndoneMark() {
  return (
    <span
      data-undone
      className="ml-auto inline-flex shrink-0 items-center gap-1 text-2xs text-muted-foreground"
    >
      <Undo2 className="size-3" aria-hidden="true" /> undone
    </span>
  );
}

function LayoutButton() {
  const { layout, setLayout } = useDiffLayout();
  const isSplit = layout === "split";
  return (
    <button
      type="button"
      aria-label={isSplit ? "Show as one column" : "Show side by side"}
      title={isSplit ? "One column" : "Side by side"}
      onClick={() => setLayout(isSplit ? "unified" : "split")}
      className="mr-1 grid size-6 shrink-0 place-items-center rounded text-muted-foreground hover:bg-hover hover:text-foreground touch:size-10"
    >
      {isSplit ? <Rows2 className="size-3.5" /> : <Columns2 className="size-3.5" />}
    </button>
  );
}
