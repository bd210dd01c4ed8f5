/** One field for a new session: what to do, by whom and where. Enter starts it. */
import { ArrowUp, GitBranch } from "lucide-react";
import { type ClipboardEvent, type KeyboardEvent, useEffect } from "react";
import { AttachButton } from "../compose/attach-button.tsx";
import { TEXT_ONLY } from "../compose/attached-file.ts";
import { AttachedFiles } from "../compose/attached-files.tsx";
import { PromptCompletions } from "../compose/prompt-completions.tsx";
import type { DraftState } from "../compose/use-draft.ts";
import { useFileDrop } from "../compose/use-file-drop.ts";
import { usePromptField } from "../compose/use-prompt-field.ts";
import { Button } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { Problem } from "../ui/problem.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { AgentPicker } from "./agent-picker.tsx";
import { START_FIELD } from "./choose-agent.ts";
import { DirectoryPicker } from "./directory-picker.tsx";
import { needOf } from "./group-agents.ts";
import { StartSettingsMenu } from "./start-settings.tsx";
import type { Start } from "./use-start.ts";

const STARTING = "Not attached: the session is starting. Attach it to your next prompt.";

export function StartForm({ start, draft }: { start: Start; draft: DraftState }) {
  const { choices, agents, agent, warm, details, isStarting, canStart } = start;
  const field = usePromptField({
    session: warm?.id,
    commands: details?.commands,
    text: draft.text,
    // The prompt is on its way, and the field is emptied when it is there.
    setText: (text) => !isStarting && draft.setText(text),
  });
  const { area, menu } = field;
  // Until it can start there is nothing to set.
  const isUnready = agent !== undefined && needOf(agent) !== undefined;
  const takesFiles = agent?.capabilities.images === true;
  const focus = () => area.current?.focus();
  const isDroppedOn = useFileDrop(attach);

  useEffect(() => {
    // A phone's keyboard would cover half of it.
    // An open list would close, under the hand of whoever opened it.
    if (matchMedia("(pointer: fine)").matches && !document.querySelector("[role=menu], [role=dialog]"))
      area.current?.focus();
  }, [area]);

  function attach(files: Iterable<File>) {
    if (isStarting) draft.refuse(STARTING);
    else if (takesFiles) void draft.attach(files);
    else draft.refuse(TEXT_ONLY);
  }

  function onKey(event: KeyboardEvent<HTMLElement>) {
    if (event.nativeEvent.isComposing || menu.onKey(event)) return;
    // Leaves the field, so that the keys of the page work.
    if (event.key === "Escape") return event.currentTarget.blur();
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    start.submit();
  }

  function onPaste(event: ClipboardEvent) {
    const { files } = event.clipboardData;
    if (files.length === 0) return;
    event.preventDefault();
    attach(files);
  }

  return (
    <form
      aria-label="New session"
      onSubmit={(event) => {
        event.preventDefault();
        start.submit();
      }}
      className={classNames(
        "rounded-2xl border border-input bg-raised shadow-sm focus-within:border-ring/60",
        isDroppedOn && "border-ring! ring-2 ring-ring/40",
      )}
    >
      <AttachedFiles files={draft.files} onRemove={draft.detach} />
      <Problem text={draft.problem} className="px-4 pt-3 [overflow-wrap:anywhere]" />
      <PromptCompletions menu={menu} />
      <textarea
        ref={area}
        id={START_FIELD}
        aria-label="What should the agent do?"
        placeholder="What should the agent do?"
        rows={2}
        {...field.props}
        readOnly={isStarting}
        onKeyDown={onKey}
        onPaste={onPaste}
        className="field-sizing-content block max-h-[42dvh] min-h-19 w-full resize-none bg-transparent px-4 pt-3.5 pb-2 text-[0.9375rem] leading-relaxed outline-none placeholder:text-muted-foreground touch:text-base"
      />
      {/* One line, or two on a phone: what comes to be known does not move the rest. */}
      <div className="flex flex-wrap items-center gap-x-0.5 px-2 pb-2 sm:flex-nowrap">
        <div className="flex min-w-0 items-center gap-x-0.5 max-sm:w-full sm:max-w-[60%]">
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
                "inline-flex h-8 shrink-0 items-center gap-1.5 rounded-md px-2 text-xs touch:h-10",
                choices.isApart
                  ? "bg-primary-soft text-primary-text"
                  : "text-soft hover:bg-hover hover:text-foreground",
              )}
            >
              <GitBranch aria-hidden="true" className="size-3.5" />
              Own worktree
            </button>
          )}
        </div>
        <div className="flex min-w-0 flex-1">
          {agent && !isUnready && (
            <StartSettingsMenu
              agent={agent}
              details={details}
              settings={choices.settings}
              onChange={start.change}
              onClosed={focus}
            />
          )}
        </div>
        {takesFiles && <AttachButton onAttach={attach} />}
        <Button
          size="icon"
          look="primary"
          type="submit"
          aria-label="Start"
          title="Start (Enter)"
          disabled={!canStart}
          className="ml-1 size-8! rounded-lg! touch:size-11!"
        >
          {isStarting ? <Spinner label="Starting" /> : <ArrowUp />}
        </Button>
      </div>
    </form>
  );
}
