/** One line above the composer while something runs in the background. */
import { Bot, SquareTerminal } from "lucide-react";
import type { Task } from "../api/types.ts";
import { linkTo } from "../route.ts";
import { useNow } from "../shell/use-now.ts";
import { clip, formatDuration } from "../ui/format.ts";
import { StopTaskButton } from "./stop-task-button.tsx";
import { isRunning } from "./use-tasks.ts";

interface TasksBarProps {
  session: string;
  tasks: readonly Task[];
  canStop: boolean;
}

export function TasksBar({ session, tasks, canStop }: TasksBarProps) {
  const running = tasks.filter(isRunning);
  const [first] = running;
  if (!first) return null;
  const isOne = running.length === 1;
  const Icon = first.kind === "agent" ? Bot : SquareTerminal;
  return (
    <section
      aria-label="Background tasks"
      className="mb-2 flex min-h-9 items-center gap-2 rounded-lg border bg-raised py-1 pr-1 pl-3 text-xs"
    >
      <span className="relative shrink-0 text-muted-foreground">
        <Icon className="size-3.5" aria-hidden="true" />
        <span className="absolute -top-0.5 -right-0.5 size-1.5 animate-breathe rounded-full bg-success" />
      </span>
      <a
        href={linkTo({ view: "session", session, panel: "tasks" })}
        title="All background tasks"
        className="flex min-w-0 flex-1 items-center gap-2 rounded py-1 hover:underline touch:min-h-10"
      >
        <span className="min-w-0 truncate font-medium">
          {isOne ? clip(first.title, 120) : `${running.length} tasks run in the background`}
        </span>
        {isOne && first.status && (
          <span className="min-w-0 truncate text-muted-foreground max-sm:hidden">
            {clip(first.status, 120)}
          </span>
        )}
      </a>
      {isOne && first.startedAt !== undefined && (
        <span className="shrink-0 text-2xs text-muted-foreground tabular-nums">
          <RunningTime since={first.startedAt} />
        </span>
      )}
      {isOne && canStop && <StopTaskButton session={session} task={first} />}
    </section>
  );
}

function RunningTime({ since }: { since: number }) {
  const now = useNow(1000);
  return formatDuration(Math.max(0, now - since));
}
