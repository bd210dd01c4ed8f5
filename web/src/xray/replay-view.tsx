/** The session once more, as it happened and at any speed. Nothing can be answered or changed in it. */
import { Crosshair, Pause, Play, SkipBack, StepBack, StepForward } from "lucide-react";
import { type ComponentProps, type CSSProperties, useEffect, useMemo, useRef, useState } from "react";
import { AccessContext, useAccess } from "../access/use-access.tsx";
import { MessageView } from "../chat/message-view.tsx";
import { replace } from "../route.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { Select } from "../ui/field.tsx";
import { Problem } from "../ui/problem.tsx";
import { ReplayConversation } from "./replay-conversation.ts";
import { type Replay, useReplay } from "./use-replay.ts";
import { MAX_EVENTS, type SessionLog, useSessionLog } from "./use-session-log.ts";

const SPEEDS = [1, 2, 5, 10, 25, 100].map((value) => ({ value, name: `${value}×` }));

/** Those before have scrolled away. */
const SHOWN_MESSAGES = 20;

/** A line with a knob, in our colours: that of the browser is white in the dark. */
const SLIDER = classNames(
  "h-5 w-full cursor-pointer appearance-none bg-transparent touch:h-10",
  "[&::-webkit-slider-runnable-track]:h-1 [&::-webkit-slider-runnable-track]:rounded-full [&::-webkit-slider-runnable-track]:bg-[linear-gradient(to_right,var(--primary)_var(--done),var(--input)_var(--done))]",
  "[&::-webkit-slider-thumb]:-mt-1.5 [&::-webkit-slider-thumb]:size-4 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:bg-primary",
  "[&::-moz-range-track]:h-1 [&::-moz-range-track]:rounded-full [&::-moz-range-track]:bg-input",
  "[&::-moz-range-progress]:h-1 [&::-moz-range-progress]:rounded-full [&::-moz-range-progress]:bg-primary",
  "[&::-moz-range-thumb]:size-4 [&::-moz-range-thumb]:rounded-full [&::-moz-range-thumb]:border-0 [&::-moz-range-thumb]:bg-primary",
);

const NO_OUTPUT: ReadonlyMap<string, string> = new Map();
const NO_COMMANDS = {};

interface ReplayViewProps {
  session: string;
  /** The route leads to the entry by then. */
  onInspect: () => void;
}

export function ReplayView({ session, onInspect }: ReplayViewProps) {
  const log = useSessionLog(session);
  const replay = useReplay(log.events);
  const { events } = log;
  const conversation = useMemo(() => new ReplayConversation(events), [events]);
  const messages = useMemo(() => conversation.at(replay.count, SHOWN_MESSAGES), [conversation, replay.count]);
  const [kept] = useState(() => new Map<string, unknown>());
  const end = useRef<HTMLDivElement>(null);
  const access = useAccess();
  const readOnly = useMemo(() => ({ ...access, can: () => false, canAnswer: () => false }), [access]);
  const created = events[0];
  const cwd = created?.type === "session.created" ? created.cwd : undefined;

  // biome-ignore lint/correctness/useExhaustiveDependencies: what came last is to be seen
  useEffect(() => {
    end.current?.scrollIntoView({ block: "end" });
  }, [messages]);

  function inspect() {
    replace({
      view: "session",
      session,
      panel: "xray",
      seq: Math.max(1, events[replay.count - 1]?.seq ?? 1),
    });
    onInspect();
  }

  return (
    <>
      <div className="min-h-0 flex-1 overflow-y-auto px-4 py-4" data-replayed={replay.count}>
        <Problem text={log.problem} />
        {replay.count === 0 && !log.problem && (
          <p className="p-6 text-center text-balance text-muted-foreground text-xs">
            Play the session once more, as fast as you like. Nothing is sent to the agent.
          </p>
        )}
        <AccessContext value={readOnly}>
          <div role="log" aria-label="Replay" aria-live="off" className="mx-auto max-w-[47rem] space-y-5">
            {messages.map((message) => (
              <MessageView
                key={message.id}
                message={message}
                session={session}
                cwd={cwd}
                isLive={message.metadata?.outcome === undefined && message === messages.at(-1)}
                isLast={false}
                isNamed={false}
                liveOutput={NO_OUTPUT}
                kept={kept}
                commands={NO_COMMANDS}
              />
            ))}
          </div>
        </AccessContext>
        <div ref={end} />
      </div>
      <Controls log={log} replay={replay} onInspect={inspect} />
    </>
  );
}

function Controls({ log, replay, onInspect }: { log: SessionLog; replay: Replay; onInspect: () => void }) {
  const { events, head } = log;
  const { count, isPlaying, speed } = replay;
  const event = events[count - 1];
  return (
    <div className="shrink-0 border-t px-3 pt-2 pb-[max(0.625rem,env(safe-area-inset-bottom))]">
      <input
        type="range"
        aria-label="Place in the session"
        aria-valuetext={`${count} of ${events.length} entries`}
        min={0}
        max={events.length}
        value={count}
        onChange={({ target }) => replay.seek(Number(target.value))}
        style={{ "--done": `${events.length === 0 ? 0 : (count / events.length) * 100}%` } as CSSProperties}
        className={SLIDER}
      />
      <div className="flex flex-wrap items-center gap-1">
        <Step
          icon={SkipBack}
          label="To the beginning"
          disabled={count === 0}
          onClick={() => replay.seek(0)}
        />
        <Step
          icon={StepBack}
          label="One entry back"
          disabled={count === 0}
          onClick={() => replay.seek(count - 1)}
        />
        <Button
          look="primary"
          className="w-24"
          disabled={events.length === 0}
          onClick={isPlaying ? replay.pause : replay.play}
        >
          {isPlaying ? <Pause /> : <Play />} {isPlaying ? "Pause" : "Play"}
        </Button>
        <Step
          icon={StepForward}
          label="One entry on"
          disabled={count >= events.length}
          onClick={() => replay.seek(count + 1)}
        />
        <span className="w-20">
          <Select
            aria-label="Speed"
            value={speed}
            options={SPEEDS}
            onChange={replay.setSpeed}
            className="h-8! text-xs! touch:h-10!"
          />
        </span>
        <span className="min-w-0 truncate px-1 text-2xs text-muted-foreground tabular-nums">
          {count} of {events.length}
          {head > events.length && events.length < MAX_EVENTS && " (loading)"}
          {head > events.length && events.length >= MAX_EVENTS && ` (the first of ${head})`}
          {event && <span className="ml-1.5 font-mono">{event.type}</span>}
        </span>
        <Button
          look="ghost"
          size="small"
          className="ml-auto"
          disabled={count === 0}
          title="Show this entry in X-ray"
          onClick={onInspect}
        >
          <Crosshair /> Inspect
        </Button>
      </div>
    </div>
  );
}

function Step(props: ComponentProps<typeof IconButton>) {
  return <IconButton title={props.label} {...props} />;
}
