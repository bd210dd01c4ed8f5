/** The row below the text: what goes with it, how the agent is set, how full it is, and send, steer or stop. */
import { ArrowUp, CornerDownRight, History, Square } from "lucide-react";
import type { Details } from "../chat/use-details.ts";
import { useIsLost } from "../feed/use-is-lost.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { focusFirst } from "../ui/focus-first.ts";
import { STOPPING } from "../ui/status-dot.tsx";
import { AgentSettings } from "./agent-settings.tsx";
import { AttachButton } from "./attach-button.tsx";
import { ContextGauge } from "./context-gauge.tsx";
import { SettingsMenu } from "./settings-menu.tsx";

interface ComposerBarProps {
  details: Details;
  isBusy: boolean;
  /** Whether the turn was told to stop. */
  isStopping: boolean;
  isEmpty: boolean;
  /** Whether it waits to be sent. */
  isHeld: boolean;
  onAttach: (files: Iterable<File>) => void;
  onHistory: () => void;
  onSteer: () => void;
  /** Undefined if this person may not stop a turn. */
  onStop: (() => void) | undefined;
  onCompact: () => void;
}

export function ComposerBar(props: ComposerBarProps) {
  const { details, isBusy, isStopping, isEmpty, isHeld, onStop } = props;
  const { session, agent } = details;
  const capabilities = agent?.capabilities;
  const isLost = useIsLost();
  const whyNot = isLost ? "Not connected" : undefined;
  /** All the buttons are there. */
  const isFull = isBusy && !isEmpty;
  const hasCompact = session?.commands?.some(({ name }) => name === "compact");
  return (
    <div className="@container">
      <div className="flex items-center gap-1 px-2 pb-2">
        {capabilities?.images && <AttachButton onAttach={props.onAttach} />}
        <IconButton
          icon={History}
          label="Earlier prompts"
          title="Earlier prompts (Ctrl R, or ↑ in the empty field)"
          onClick={props.onHistory}
          className={isFull ? "max-sm:hidden" : ""}
        />
        {/* In one line where there is room for all of it. */}
        <div className={isFull ? "hidden" : "@2xl:flex hidden min-w-0 items-center gap-1"}>
          <AgentSettings details={details} />
        </div>
        <div className={isFull ? "flex min-w-0" : "@2xl:hidden flex min-w-0"}>
          <SettingsMenu details={details} isShort={isFull} />
        </div>
        <div className="ml-auto flex shrink-0 items-center gap-1.5">
          {/* On a phone there is no room for it beside all the buttons. */}
          <div className={isFull ? "max-sm:hidden" : "contents"}>
            <ContextGauge
              isShort={isFull}
              context={session?.context}
              onCompact={hasCompact && !isBusy ? props.onCompact : undefined}
            />
          </div>
          {isBusy && onStop && (
            <span title={whyNot} className="flex">
              <Button
                size="small"
                aria-label={isStopping ? STOPPING : "Stop the turn"}
                title={isStopping ? STOPPING : "Stop the turn (Esc); what waits is held"}
                disabled={isLost || isStopping}
                onClick={() => {
                  // Neither a button that does nothing any more nor one that goes can keep the focus.
                  focusFirst();
                  onStop();
                }}
                className="h-7.5! touch:h-10!"
              >
                <Square className="fill-current" />
                <span className={isEmpty ? "" : "max-sm:sr-only"}>{isStopping ? STOPPING : "Stop"}</span>
              </Button>
            </span>
          )}
          {isBusy && !isEmpty && (
            <>
              {capabilities?.steer && (
                <span title={whyNot} className="flex">
                  <Button
                    size="small"
                    title="Give it to the agent in the running turn (Ctrl Enter)"
                    disabled={isLost}
                    onClick={props.onSteer}
                    className="h-7.5! touch:h-10!"
                  >
                    <CornerDownRight /> Steer
                  </Button>
                </span>
              )}
              <Button
                size="small"
                look="primary"
                type="submit"
                title={
                  isLost
                    ? "Goes out as soon as the connection is back"
                    : "Runs when the turn has ended (Enter)"
                }
                disabled={isHeld}
                className="h-7.5! touch:h-10!"
              >
                {isLost ? "Send when back" : "Queue"}
              </Button>
            </>
          )}
          {!isBusy && (
            <IconButton
              icon={ArrowUp}
              look="primary"
              type="submit"
              label="Send"
              title="Send (Enter)"
              disabled={isEmpty || isHeld}
              className="rounded-lg! touch:size-11!"
            />
          )}
        </div>
      </div>
    </div>
  );
}
