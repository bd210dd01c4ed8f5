/** One field for a new session: what to do, by whom and where. Enter starts it. */
import { ArrowUp, GitBranch, Paperclip, X } from "lucide-react";
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useEffect, useRef } from "react";
import { COMPLETION_MENU, CompletionMenu, completionOption } from "../compose/completion-menu.tsx";
import { useCompletion } from "../compose/use-completion.ts";
import type { DraftState } from "../compose/use-draft.ts";
import { Button } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { clip } from "../ui/format.ts";
import { Spinner } from "../ui/spinner.tsx";
import { AgentPicker } from "./agent-picker.tsx";
import { START_FIELD } from "./choose-agent.ts";
import { DirectoryPicker } from "./directory-picker.tsx";
import { StartSettingsRow } from "./start-settings.tsx";
import type { Start } from "./use-start.ts";

export function StartForm({ start, draft }: { start: Start; draft: DraftState }) {
  const { choices, agents, agent, details, isStarting, canStart } = start;
  const area = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const menu = useCompletion({
    session: undefined,
    text: draft.text,
    caret: undefined,
    known: details?.commands,
    write: draft.setText,
  });
  const isMenuOpen = menu.commands.length > 0;
  const takesFiles = agent?.capabilities.images === true;
  const focus = () => area.current?.focus();

  useEffect(() => {
    // A phone's keyboard would cover half of it.
    // An open menu would close, under the hand of whoever opened it.
    if (matchMedia("(pointer: fine)").matches && !document.querySelector("[role=menu]"))
      area.current?.focus();
  }, []);

  function onKey(event: KeyboardEvent<HTMLElement>) {
    if (event.nativeEvent.isComposing || menu.onKey(event)) return;
    // Leaves the field, so that the keys of the page work.
    if (event.key === "Escape") return event.currentTarget.blur();
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    start.submit();
  }

  function takeFiles(files: FileList, event: ClipboardEvent | DragEvent) {
    if (!takesFiles || files.length === 0) return;
    event.preventDefault();
    void draft.attach(files);
  }

  return (
    <form
      aria-label="New session"
      onSubmit={(event) => {
        event.preventDefault();
        start.submit();
      }}
      onDragOver={(event) => takesFiles && event.preventDefault()}
      onDrop={(event) => takeFiles(event.dataTransfer.files, event)}
      className="rounded-2xl border border-input bg-raised shadow-sm focus-within:border-ring/60"
    >
      {draft.files.length > 0 && <AttachedFiles draft={draft} />}
      {draft.problem && (
        <p role="alert" className="px-4 pt-3 text-danger-text text-xs [overflow-wrap:anywhere]">
          {draft.problem}
        </p>
      )}
      {isMenuOpen && (
        <CompletionMenu
          name="Commands of the agent"
          chosen={menu.chosen}
          onPick={menu.pick}
          options={menu.commands.map(({ name, description = "" }) => ({
            id: name,
            label: `/${clip(name, 80)}`,
            detail: clip(description),
          }))}
        />
      )}
      <textarea
        ref={area}
        id={START_FIELD}
        aria-label="What should the agent do?"
        aria-controls={isMenuOpen ? COMPLETION_MENU : undefined}
        aria-activedescendant={isMenuOpen ? completionOption(menu.chosen) : undefined}
        placeholder="What should the agent do?"
        rows={2}
        value={draft.text}
        onChange={(event) => draft.setText(event.target.value)}
        onKeyDown={onKey}
        onPaste={(event) => takeFiles(event.clipboardData.files, event)}
        className="field-sizing-content block max-h-[42dvh] min-h-19 w-full resize-none bg-transparent px-4 pt-3.5 pb-2 text-[0.9375rem] leading-relaxed outline-none placeholder:text-muted-foreground max-md:text-base"
      />
      <div className="flex items-end gap-1 px-2 pb-2">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-0.5 gap-y-0.5">
          <AgentPicker
            agents={agents}
            recent={choices.recentAgents}
            chosen={choices.agent}
            onChoose={choices.setAgent}
            onClosed={focus}
          />
          <DirectoryPicker
            chosen={choices.directory}
            recent={choices.recentDirectories}
            onChoose={choices.setDirectory}
            onClosed={focus}
          />
          {choices.canBeApart && (
            <button
              type="button"
              aria-pressed={choices.isApart}
              title="Work in a git worktree, on a branch of its own: your files stay as they are"
              onClick={() => choices.setIsApart(!choices.isApart)}
              className={classNames(
                "inline-flex h-8 items-center gap-1.5 rounded-md px-2 text-xs max-md:h-10",
                choices.isApart
                  ? "bg-primary-soft text-primary-text"
                  : "text-soft hover:bg-hover hover:text-foreground",
              )}
            >
              <GitBranch aria-hidden="true" className="size-3.5" />
              Own worktree
            </button>
          )}
          {agent && (
            <StartSettingsRow
              agent={agent}
              details={details}
              settings={choices.settings}
              onChange={start.change}
            />
          )}
          {takesFiles && (
            <>
              <input
                ref={picker}
                type="file"
                multiple
                hidden
                onChange={(event) => {
                  if (event.target.files) void draft.attach([...event.target.files]);
                  event.target.value = "";
                }}
              />
              <Button
                look="ghost"
                size="icon"
                aria-label="Attach files"
                title="Attach files"
                onClick={() => picker.current?.click()}
                className="max-md:size-10"
              >
                <Paperclip />
              </Button>
            </>
          )}
        </div>
        <Button
          size="icon"
          look="primary"
          type="submit"
          aria-label="Start"
          title="Start (Enter)"
          disabled={!canStart}
          className="size-8! rounded-lg! max-md:size-10!"
        >
          {isStarting ? <Spinner label="Starting" /> : <ArrowUp />}
        </Button>
      </div>
    </form>
  );
}

function AttachedFiles({ draft }: { draft: DraftState }) {
  return (
    <ul className="flex flex-wrap gap-1.5 px-3 pt-3" aria-label="Attached files">
      {draft.files.map((file, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: two may be the same, and a name for each would be megabytes
          key={index}
          className="flex h-7 max-w-56 items-center gap-1 rounded-md border bg-muted pr-1 pl-2 text-xs max-md:h-10"
        >
          <span className="truncate">{clip(file.filename)}</span>
          <button
            type="button"
            aria-label={`Remove ${file.filename}`}
            onClick={() => draft.detach(index)}
            className="rounded p-0.5 text-muted-foreground hover:text-foreground max-md:p-2.5"
          >
            <X className="size-3" />
          </button>
        </li>
      ))}
    </ul>
  );
}
