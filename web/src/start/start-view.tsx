/** Where sessions begin. */
import { useAgents } from "../agents/use-agents.tsx";
import { useDraft } from "../compose/use-draft.ts";
import { useFeed } from "../feed/use-feed.tsx";
import { PlainText } from "../parts/plain-text.tsx";
import { Mark } from "../shell/mark.tsx";
import { Keys } from "../ui/keys.tsx";
import { AgentLine } from "./agent-line.tsx";
import { FirstRun } from "./first-run.tsx";
import { StartForm } from "./start-form.tsx";
import { START_DRAFT, useStart } from "./use-start.ts";

const nothing = () => {};

export default function StartView() {
  const draft = useDraft(START_DRAFT, undefined, nothing);
  const start = useStart(draft);
  const { sessions, snapshots } = useFeed();
  const hasMock = useAgents()?.agents.some(({ name }) => name === "mock") ?? false;
  const isFirst = snapshots > 0 && sessions.size === 0;
  const { choices, agent, status, warm, details, problem, isStarting } = start;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto max-w-[44rem] px-4 pt-[max(1.5rem,14dvh)] pb-10 max-md:pt-6">
        <div className="mb-5 flex items-center gap-3">
          <Mark className="size-8" />
          <h1 className="font-semibold text-lg tracking-[-0.01em]">
            {isFirst ? "Start your first session" : "New session"}
          </h1>
        </div>
        {isFirst && (
          <p className="-mt-2 mb-4 text-balance text-muted-foreground leading-relaxed">
            Say what you want, choose who does it and where. You see each step, decide what is allowed, and
            can undo it.
          </p>
        )}
        <StartForm start={start} draft={draft} />
        <div className="mt-2">
          {problem ? (
            <p
              role="alert"
              className="rounded-lg border border-danger-border bg-danger-soft px-3 py-2 text-danger-text text-xs leading-5 [overflow-wrap:anywhere]"
            >
              <PlainText text={problem} />
            </p>
          ) : (
            <AgentLine
              title={agent?.title ?? choices.agent}
              status={status}
              warm={choices.isApart ? undefined : warm}
              isBypassing={(choices.settings.permissionMode ?? details?.permissionMode) === "bypass"}
            />
          )}
        </div>
        {isFirst && hasMock && (
          <FirstRun isDisabled={isStarting} onTry={(prompt) => start.submitTo("mock", prompt)} />
        )}
        {!isFirst && (
          <p className="mt-6 hidden gap-5 text-2xs text-muted-foreground md:flex">
            <span className="flex items-center gap-1.5">
              <Keys keys="mod+k" /> Find or do anything
            </span>
            <span className="flex items-center gap-1.5">
              <Keys keys="?" /> Shortcuts
            </span>
          </p>
        )}
      </div>
    </div>
  );
}
