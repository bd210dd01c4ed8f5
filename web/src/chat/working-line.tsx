/** What the agent does now, for how long, how much it has written, and how to stop it: one line that keeps its height. */
import { useMemo } from "react";
import { toolLine } from "../parts/tool-summary.ts";
import { useNow } from "../shell/use-now.ts";
import { formatCount, formatDuration } from "../ui/format.ts";
import { STOPPING } from "../ui/status-dot.tsx";
import { messageBlocks, type ToolBlock } from "./message-blocks.ts";
import { asDaemonMessage, type ChatMessage } from "./page-message.ts";

interface WorkingLineProps {
  /** The newest message: the answer, or the prompt before it begins. */
  last: ChatMessage | undefined;
  cwd: string | undefined;
  isRecovering: boolean;
  isStopping: boolean;
  canStop: boolean;
}

export function WorkingLine({ last, cwd, isRecovering, isStopping, canStop }: WorkingLineProps) {
  const now = useNow(1000);
  const call = useMemo(() => last && last.role === "assistant" && runningCall(last), [last]);
  const tokens = useMemo(() => last && last.role === "assistant" && writtenTokens(last), [last]);
  const { title, detail } = call ? toolLine(call, cwd) : {};
  const seconds = Math.floor((now - (last?.metadata?.createdAt ?? now)) / 1000);
  return (
    <div
      data-part="working"
      className="mt-4 flex h-4 min-w-0 items-center gap-2 whitespace-nowrap text-muted-foreground text-xs"
      aria-hidden="true"
    >
      <span className="flex shrink-0 gap-1">
        {[0, 1, 2].map((dot) => (
          <span
            key={dot}
            className="size-1 animate-breathe rounded-full bg-primary-text"
            style={{ animationDelay: `${dot * 200}ms` }}
          />
        ))}
      </span>
      <span className="shrink-0">
        {isStopping ? STOPPING : isRecovering ? "Taking up the conversation" : "Working"}
      </span>
      {seconds > 0 && (
        <>
          <Dot />
          <span className="shrink-0 tabular-nums">
            {seconds < 60 ? `${seconds}s` : formatDuration(seconds * 1000)}
          </span>
        </>
      )}
      {tokens ? (
        <>
          <Dot />
          <span data-part="tokens" className="shrink-0 tabular-nums">
            {formatCount(tokens)} {tokens === 1 ? "token" : "tokens"}
          </span>
        </>
      ) : null}
      {call && (
        <>
          <Dot />
          <span className="min-w-0 truncate">
            {detail ? <span className="font-mono">{detail}</span> : title}
          </span>
        </>
      )}
      {canStop && !isStopping && (
        <span className="flex shrink-0 items-center gap-2 pointer-coarse:hidden">
          <Dot /> Esc stops
        </span>
      )}
    </div>
  );
}

function Dot() {
  return <span className="shrink-0 opacity-60">·</span>;
}

/** The call that runs, the newest of several. Only its own part is read: this is done again with every word. */
function runningCall(message: ChatMessage): ToolBlock | undefined {
  const { parts, ...rest } = asDaemonMessage(message);
  const part = parts.findLast(
    (part) =>
      "toolCallId" in part &&
      (part.state === "input-available" || (part.state === "output-available" && part.preliminary === true)),
  );
  if (!part) return undefined;
  return messageBlocks({ ...rest, parts: [part] }).find((block) => block.kind === "tool");
}

/** What the agent has written for this answer, as far as it has told. */
function writtenTokens(message: ChatMessage): number | undefined {
  const part = asDaemonMessage(message).parts.findLast((part) => part.type === "data-usage");
  return part?.data.output;
}
