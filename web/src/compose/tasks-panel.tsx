/** Everything the agent does in the background, and the last that ended. */
import { Bot, Square, SquareTerminal } from "lucide-react";
import type { ReactNode } from "react";
import { isNamed } from "../access/is-named.ts";
import { useAccess } from "../access/use-access.tsx";
import type { Task } from "../api/types.ts";
import { useDetails } from "../chat/use-details.ts";
import type { SessionSummary } from "../feed/feed-state.ts";
import { useFeed } from "../feed/use-feed.tsx";
import { shownName } from "../people/shown-name.ts";
import type { PanelProps } from "../shell/side-panel.tsx";
import { useNow } from "../shell/use-now.ts";
import { classNames } from "../ui/class-names.ts";
import { clip, formatDuration } from "../ui/format.ts";
import { StopTaskButton } from "./stop-task-button.tsx";
import { isRunning, useTasks } from "./use-tasks.ts";

export default function TasksPanel({ session }: PanelProps) {
  const { sessions, snapshots } = useFeed();
  const summary = sessions.get(session);
  return summary ? <Tasks session={session} summary={summary} snapshots={snapshots} /> : null;
}

interface TasksProps {
  session: string;
  summary: SessionSummary;
  snapshots: number;
}

function Tasks({ session, summary, snapshots }: TasksProps) {
  const tasks = useTasks(session, summary);
  const { agent } = useDetails(session, summary, snapshots);
  const { can } = useAccess();
  const canStop = can("session.stop") && agent?.capabilities.stopTasks === true;
  const running = tasks.filter(isRunning);
  const ended = tasks.filter((task) => !isRunning(task));
  if (tasks.length === 0) {
    return (
      <div className="grid flex-1 place-items-center p-6 text-center">
        <div className="max-w-64">
          <p className="font-medium">Nothing runs in the background</p>
          <p className="mt-1 text-balance text-muted-foreground text-xs leading-5">
            Servers, builds and sub-agents that go on after a turn are listed here.
          </p>
        </div>
      </div>
    );
  }
  return (
    <div className="min-h-0 flex-1 overflow-y-auto p-3">
      {running.length > 0 && (
        <Group title="Running">
          {running.map((task) => (
            <TaskCard key={task.task} task={task}>
              {canStop && <StopTaskButton session={session} task={task} />}
            </TaskCard>
          ))}
        </Group>
      )}
      {ended.length > 0 && (
        <Group title="Ended">
          {ended.map((task) => (
            <TaskCard key={task.task} task={task} />
          ))}
        </Group>
      )}
    </div>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="mb-4">
      <h2 className="mb-1.5 px-1 font-medium text-2xs text-muted-foreground">{title}</h2>
      <ul className="grid gap-2">{children}</ul>
    </section>
  );
}

const STATES: Readonly<Record<Task["state"], string>> = {
  running: "Running",
  stopping: "Stopping",
  completed: "Done",
  failed: "Failed",
  stopped: "Stopped",
  lost: "Cut off",
};

function TaskCard({ task, children }: { task: Task; children?: ReactNode }) {
  const { title, kind, state, status, progress, output, summary, stoppingBy } = task;
  const Icon = kind === "agent" ? Bot : SquareTerminal;
  const { me } = useAccess();
  const isStopped = state === "stopped";
  const by =
    isStopped && stoppingBy ? ` by ${isNamed(stoppingBy, me.name) ? "you" : shownName(stoppingBy)}` : "";
  // That it was stopped is said already: what it said before is worth more.
  const said = isStopped ? status : (summary ?? status);
  const percent = typeof progress === "number" && progress >= 0 && progress < 100 ? progress : undefined;
  return (
    <li data-task={state} className="rounded-lg border bg-raised px-3 py-2.5">
      <div className="flex items-start gap-2">
        <Icon className="mt-0.5 size-3.5 shrink-0 text-muted-foreground" aria-hidden="true" />
        <div className="min-w-0 flex-1">
          <p className="font-medium text-xs leading-4.5 [overflow-wrap:anywhere]">{clip(title)}</p>
          <p className="mt-0.5 flex flex-wrap gap-x-1.5 text-2xs text-muted-foreground">
            <span
              className={classNames(
                "inline-flex items-center gap-1",
                state === "failed" && "font-medium text-danger-text",
              )}
            >
              {isStopped && <Square className="size-2 fill-current" aria-hidden="true" />}
              {STATES[state]}
              {by}
            </span>
            <Duration task={task} />
          </p>
        </div>
        {children}
      </div>
      {isRunning(task) && percent !== undefined && (
        <div
          role="progressbar"
          aria-label={title}
          aria-valuenow={percent}
          className="mt-2 h-1 overflow-hidden rounded-full bg-muted"
        >
          <div className="h-full rounded-full bg-primary" style={{ width: `${percent}%` }} />
        </div>
      )}
      {said && (
        <p className="mt-1 pl-5.5 text-soft text-xs leading-5 [overflow-wrap:anywhere]">{clip(said)}</p>
      )}
      {output && (
        <pre className="mt-2 max-h-40 overflow-auto whitespace-pre-wrap rounded-md bg-muted px-2 py-1.5 font-mono text-2xs leading-4 [overflow-wrap:anywhere]">
          {output}
        </pre>
      )}
    </li>
  );
}

function Duration({ task }: { task: Task }) {
  const { startedAt, endedAt } = task;
  const now = useNow(1000);
  if (startedAt === undefined) return null;
  return (
    <>
      <span aria-hidden="true">·</span>
      <span className="tabular-nums">{formatDuration(Math.max(0, (endedAt ?? now) - startedAt))}</span>
    </>
  );
}
