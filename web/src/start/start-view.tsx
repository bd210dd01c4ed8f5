/** Where sessions begin. */
import { useDraft } from "../compose/use-draft.ts";
import { useFeed } from "../feed/use-feed.tsx";
import { PlainText } from "../parts/plain-text.tsx";
import { Mark } from "../shell/mark.tsx";
import { classNames } from "../ui/class-names.ts";
import { Keys } from "../ui/keys.tsx";
import { AgentLine } from "./agent-line.tsx";
import { START_FIELD } from "./choose-agent.ts";
import { FirstRun } from "./first-run.tsx";
import { LatestSessions } from "./latest-sessions.tsx";
import { StartForm } from "./start-form.tsx";
import { START_DRAFT, useStart } from "./use-start.ts";

const nothing = () => {};

export default function StartView() {
  const draft = useDraft(START_DRAFT, undefined, nothing);
  const start = useStart(draft);
  const { sessions, snapshots } = useFeed();
  const isFirst = snapshots > 0 && sessions.size === 0;
  const { choices, agent, status, warm, details, problem, isStarting } = start;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      {/* On a phone the field is docked where the thumb is. */}
      <div className="mx-auto flex min-h-full max-w-[44rem] flex-col px-4 md:block md:pt-[max(1.5rem,14dvh)] md:pb-10">
        <div className={classNames("mb-4", isFirst ? "max-md:pt-3" : "max-md:sr-only")}>
          <div className="flex items-center gap-3">
            <Mark className="size-8" />
            <h1 className="font-semibold text-lg tracking-[-0.01em]">
              {isFirst ? "Start your first session" : "New session"}
            </h1>
          </div>
          {isFirst && (
            <p className="mt-3 text-balance text-muted-foreground leading-relaxed">
              Say what you want, choose who does it and where. You see each step, decide what is allowed, and
              can undo it.
            </p>
          )}
        </div>
        <div className="flex flex-col gap-2 max-md:sticky max-md:bottom-0 max-md:order-last max-md:-mx-4 max-md:mt-auto max-md:flex-col-reverse max-md:bg-background max-md:before:pointer-events-none max-md:before:absolute max-md:before:inset-x-0 max-md:before:-top-5 max-md:before:h-5 max-md:before:bg-linear-to-t max-md:before:from-background max-md:before:to-transparent max-md:px-2 max-md:pt-2 max-md:pb-[max(0.5rem,env(safe-area-inset-bottom))]">
          <StartForm start={start} draft={draft} />
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
        {isFirst ? (
          <div className="max-md:pb-4">
            <FirstRun
              agents={start.agents}
              chosen={choices.agent}
              isInstalling={start.status.progress !== undefined}
              isDisabled={isStarting}
              onTry={(prompt) => start.submitTo("mock", prompt)}
              onChoose={(name) => {
                choices.setAgent(name);
                if (matchMedia("(pointer: fine)").matches) document.getElementById(START_FIELD)?.focus();
              }}
            />
          </div>
        ) : (
          <>
            <div className="max-md:-mx-2 md:mt-8">
              <LatestSessions />
            </div>
            <p className="mt-6 hidden gap-5 pl-2 text-2xs text-muted-foreground md:flex">
              <span className="flex items-center gap-1.5">
                <Keys keys="mod+k" /> Find or do anything
              </span>
              <span className="flex items-center gap-1.5">
                <Keys keys="?" /> Shortcuts
              </span>
            </p>
          </>
        )}
      </div>
    </div>
  );
}
