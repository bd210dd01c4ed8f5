/** Everything about a call below its line, by what its tool does. */
import { type ReactNode, useMemo } from "react";
import { shellCommand } from "../../../src/core/shell-command.ts";
import { AllowedBefore } from "../asks/allowed-before.tsx";
import { AskOutcome } from "../asks/ask-outcome.tsx";
import { repeatsAsk } from "../asks/repeats-ask.ts";
import { useConversation } from "../chat/conversation-context.ts";
import type { ToolBlock } from "../chat/message-blocks.ts";
import { BoundedList } from "../ui/bounded-list.tsx";
import { clip } from "../ui/format.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { NotLoaded } from "../ui/not-loaded.tsx";
import { CodePanel } from "./code-panel.tsx";
import { BareDiff, FileDiffs } from "./file-diff.tsx";
import { foundPlaces, searchedPattern } from "./found-places.ts";
import { Markdown } from "./markdown.tsx";
import { OutputPanel } from "./output-panel.tsx";
import { type OutputText, outputTexts } from "./output-texts.ts";
import { SubagentWork } from "./subagent-work.tsx";
import { isDenied, isFailedCommand, whyUnfinished } from "./tool-ending.ts";
import { commandOf, isCommandInLine, isEmptyValue, isNamedByLine } from "./tool-summary.ts";
import { ValuePanel } from "./value-panel.tsx";

const SearchPanel = lazyPart(() => import("./search-panel.tsx"));
const EditedInput = lazyPart(() => import("./edited-input.tsx"));
/** What reads the colours of terminals comes when the first output is opened. */
const TerminalPanel = lazyPart(
  () => import("./terminal-panel.tsx"),
  NotLoaded,
  () => <p className="text-muted-foreground text-xs">Loading the output</p>,
);

/** Of a command that failed: how it ended says most. */
const LAST_LINES = 10;

interface ToolBodyProps {
  tool: ToolBlock;
  /** What a sub-agent did under the call. */
  children: ReactNode;
}

export function ToolBody({ tool, children }: ToolBodyProps) {
  const answered = tool.asks.filter((ask) => ask.answer || ask.state !== "open");
  const { exitCode } = tool.result ?? {};
  return (
    <div className="space-y-2.5 border-t px-3 py-2.5 empty:hidden">
      <Content tool={tool}>{children}</Content>
      {tool.errorText && !isDenied(tool) && !whyUnfinished(tool) && (
        <CodePanel label="Error" text={tool.errorText} tone="danger" />
      )}
      {tool.errorText && tool.result?.unfinished === "lost" && (
        <p className="text-muted-foreground text-xs first-letter:uppercase">{clip(tool.errorText, 400)}</p>
      )}
      {exitCode !== undefined && exitCode !== 0 && tool.state !== "output-available" && (
        <p className="text-danger-text text-xs">Exit code {exitCode ?? "unknown"}</p>
      )}
      {!isEmptyValue(tool.progress) && tool.state !== "output-available" && tool.state !== "output-error" && (
        <ValuePanel label="Progress" value={tool.progress} />
      )}
      {tool.edited && <EditedInput edited={tool.edited} />}
      <BoundedList items={answered} step={20} name="answers">
        {(ask) => <AskOutcome key={ask.ask} ask={ask} />}
      </BoundedList>
      <AllowedBefore tool={tool} />
    </div>
  );
}

function Content({ tool, children }: ToolBodyProps) {
  const { liveOutput } = useConversation();
  const command = commandOf(tool.input);
  const hasOutput =
    tool.state === "output-available" &&
    !isEmptyValue(tool.output) &&
    !repeatsAsk(tool.output, tool.asks) &&
    !(command !== undefined && isTaskNote(tool.output));
  const live = tool.state === "input-available" || tool.isPreliminary ? liveOutput.get(tool.call) : undefined;
  const { truncatedFrom, output: partial } = tool.result ?? {};
  const note =
    truncatedFrom === undefined ? undefined : `cut; ${truncatedFrom.toLocaleString()} characters in all`;
  const output = live ?? (hasOutput ? tool.output : partial);
  const texts = useMemo(() => textsOf(output), [output]);
  const found = useMemo(() => foundPlaces(tool), [tool]);
  if (command !== undefined && (texts !== undefined || isEmptyValue(output))) {
    const notes = [...(texts ?? []).map((text) => text.note), note].filter(Boolean).join(" · ");
    if (isCommandInLine(tool) && !texts?.length && notes === "") return null;
    return (
      <TerminalPanel
        command={isCommandInLine(tool) ? undefined : shellCommand(command)}
        outputs={texts ?? []}
        note={notes}
        lastLines={isFailedCommand(tool) ? LAST_LINES : undefined}
      />
    );
  }
  if (tool.purpose === "agent" && (texts !== undefined || isEmptyValue(output)))
    return (
      <AgentContent tool={tool} answer={(texts ?? []).map(({ text }) => text).join("\n\n")}>
        {children}
      </AgentContent>
    );
  // Diffs and answers say it more clearly than the raw input would, and so does the line above.
  const showsInput =
    !isEmptyValue(tool.input) &&
    tool.edits.length === 0 &&
    !isNamedByLine(tool.input, tool.purpose) &&
    !repeatsAsk(tool.input, tool.asks);
  // What an edit says of itself is in its diff.
  const showsOutput = !isEmptyValue(output) && tool.edits.length === 0;
  return (
    <>
      {showsInput && <ValuePanel label={command ? "Command" : "Input"} value={command ?? tool.input} />}
      {tool.edits.length === 1 ? <BareDiff edit={tool.edits[0]!} /> : <FileDiffs edits={tool.edits} />}
      <SubagentWork tool={tool}>{children}</SubagentWork>
      {showsOutput &&
        (found ? (
          <SearchPanel places={found} pattern={searchedPattern(tool.input)} />
        ) : (
          <OutputPanel
            label={live ? "Output so far" : hasOutput ? "Output" : "Output until then"}
            value={output}
            note={note}
          />
        ))}
    </>
  );
}

/** What another agent was asked, what it did, and what it answered. */
function AgentContent({ tool, answer, children }: ToolBodyProps & { answer: string }) {
  const { prompt } = (tool.input ?? {}) as { prompt?: unknown };
  const last = tool.children.at(-1);
  const isSaid = last?.kind === "text" && last.text.trim() === answer.trim();
  return (
    <>
      {typeof prompt === "string" && prompt !== tool.title && <CodePanel label="Task" text={prompt} />}
      <SubagentWork tool={tool}>{children}</SubagentWork>
      {answer !== "" && !isSaid && <Markdown text={answer} />}
    </>
  );
}

/** That a command runs in the background, under which id, and that it ended there: its mark and the tasks say it. */
function isTaskNote(output: unknown): boolean {
  if (typeof output !== "object" || output === null || !("task" in output)) return false;
  return Object.keys(output).every((key) => key === "task" || key === "status");
}

function textsOf(output: unknown): OutputText[] | undefined {
  if (typeof output === "string") return output === "" ? [] : [{ label: "Output", text: output }];
  return outputTexts(output);
}
