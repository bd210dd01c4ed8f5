/** Prompts that wait for the running turn, as cards: changed, put in another order, sent now or withdrawn. */
import { ChevronRight, CornerDownRight, Play } from "lucide-react";
import { useEffect, useState } from "react";
import { useAccess } from "../access/use-access.tsx";
import { daemon } from "../api/client.ts";
import type { QueuedPrompt } from "../api/types.ts";
import type { SteeredPrompt } from "../chat/use-session-chat.ts";
import { shownName } from "../people/shown-name.ts";
import { BoundedList } from "../ui/bounded-list.tsx";
import { classNames } from "../ui/class-names.ts";
import { clip, formatMoment } from "../ui/format.ts";
import { useToasts } from "../ui/toasts.tsx";
import { textOf } from "./prompt-text.ts";
import { QueueCard } from "./queue-card.tsx";
import { isOtherOrder, movedTo, neighbourAt } from "./queue-order.ts";
import type { Queue } from "./read-queue.ts";
import { useCardDrag } from "./use-card-drag.ts";

/** Beyond this number only the newest are shown. */
const MAX_STEERED = 20;

/** More are one line until somebody wants to see them: the conversation needs the room. */
const MAX_UNFOLDED = 2;

interface QueueListProps {
  session: string;
  queue: readonly QueuedPrompt[];
  held: Queue["held"];
  steered: readonly SteeredPrompt[];
  /** A prompt can be given to the running turn. */
  canSteer: boolean;
}

const RELEASE = "What waits runs, one after the other. A new prompt does it, too: it goes first";
const RELEASE_ALONE = "Try the held prompts again";

/** After this long somebody else has put them in another order. */
const MAX_OLD_MS = 3000;

function idsOf(prompts: readonly QueuedPrompt[]): string[] {
  return prompts.map(({ message }) => message);
}

export default function QueueList({ session, queue, held, steered, canSteer }: QueueListProps) {
  const { me, can } = useAccess();
  const toasts = useToasts();
  /** As it was just put, until the daemon tells. */
  const [order, setOrder] = useState<readonly QueuedPrompt[]>();
  const [said, setSaid] = useState("");
  /** Only more than a few are folded at all. */
  const [isFolded, setIsFolded] = useState(true);
  useEffect(() => {
    if (!order) return;
    // A list that was asked for before it was moved may come afterwards.
    const isOld = isOtherOrder(idsOf(queue), idsOf(order));
    if (!isOld) return setOrder(undefined);
    const timer = setTimeout(() => setOrder(undefined), MAX_OLD_MS);
    return () => clearTimeout(timer);
  }, [queue, order]);
  const shown = order ?? queue;
  const drag = useCardDrag(move);

  function move(from: number, to: number) {
    const prompt = shown[from];
    if (!prompt || from === to) return;
    const ids = idsOf(shown);
    setOrder(movedTo(shown, from, to));
    setSaid(`Moved to place ${to + 1} of ${shown.length}`);
    daemon()
      .call("PATCH /v1/sessions/{id}/queue/{message}", {
        params: { id: session, message: prompt.message },
        body: { before: neighbourAt(ids, from, to) },
      })
      .catch((error) => {
        setOrder(undefined);
        toasts.fail(error);
      });
  }

  function release() {
    daemon()
      .call("POST /v1/sessions/{id}/queue/release", { params: { id: session } })
      .catch(toasts.fail);
  }

  if (shown.length + steered.length === 0) return null;
  const count = shown.length === 1 ? "1 prompt waits" : `${shown.length} prompts wait`;
  const alone = shown.filter((prompt) => prompt.held).length;
  const heading = held ? `${count} · held` : alone > 0 ? `${count} · ${alone} held` : count;
  const next = shown.find((prompt) => !prompt.held) ?? shown[0];
  const heldBy = held && `Held since ${formatMoment(held.at)}${held.by ? ` by ${shownName(held.by)}` : ""}`;
  return (
    <div className="mb-2">
      <div className="mb-1 flex items-center gap-2">
        {shown.length > MAX_UNFOLDED ? (
          <button
            type="button"
            aria-expanded={!isFolded}
            onClick={() => setIsFolded(!isFolded)}
            className={classNames(
              "flex h-8 min-w-0 flex-1 items-center gap-2 rounded-lg px-2.5 text-left text-xs hover:bg-hover pointer-coarse:h-10",
              isFolded ? "border bg-raised" : "text-muted-foreground",
            )}
          >
            <ChevronRight
              aria-hidden="true"
              className={classNames("size-3.5 shrink-0 text-muted-foreground", !isFolded && "rotate-90")}
            />
            <span className="shrink-0 font-medium">{heading}</span>
            {isFolded && (
              <span className="min-w-0 truncate text-muted-foreground">
                Next: {(next && clip(textOf(next.parts), 120)) || "files"}
              </span>
            )}
          </button>
        ) : (
          shown.length > 0 && (
            <p className="min-w-0 flex-1 px-1 text-2xs text-muted-foreground" title={heldBy}>
              {heading}
            </p>
          )
        )}
        {(held || alone > 0) && can("session.prompt") && (
          <button
            type="button"
            title={held ? RELEASE : RELEASE_ALONE}
            onClick={release}
            className="inline-flex h-7 shrink-0 items-center gap-1.5 rounded-md border bg-raised px-2.5 font-medium text-xs hover:bg-hover touch:h-10"
          >
            <Play className="size-3" aria-hidden="true" /> Go on
          </button>
        )}
      </div>
      <p className="sr-only" role="status">
        {said}
      </p>
      <ul
        aria-label="Waiting prompts"
        hidden={isFolded && shown.length > MAX_UNFOLDED && steered.length === 0}
        className="-mx-1 grid [&[hidden]]:hidden max-h-[30dvh] gap-1.5 overflow-y-auto overscroll-contain px-1 pt-px pb-1"
      >
        {steered.slice(-MAX_STEERED).map((prompt) => (
          <SteeredCard key={prompt.message} prompt={prompt} />
        ))}
        <BoundedList
          items={isFolded && shown.length > MAX_UNFOLDED ? [] : shown}
          step={30}
          name="prompts"
          wrap={(button) => <li>{button}</li>}
        >
          {(prompt, index) => {
            const isOwn = prompt.author === me.token;
            const canChange = can("queue.any") || (isOwn && can("queue.own"));
            return (
              <QueueCard
                key={prompt.message}
                session={session}
                prompt={prompt}
                text={textOf(prompt.parts)}
                place={index}
                count={shown.length}
                isOwn={isOwn}
                canChange={canChange}
                sendsBy={
                  !canChange
                    ? undefined
                    : held
                      ? "start"
                      : prompt.held
                        ? "again"
                        : canSteer
                          ? "steer"
                          : can("session.stop")
                            ? "stop"
                            : undefined
                }
                // One more that comes meanwhile does not fold it away.
                onEdit={() => setIsFolded(false)}
                onMove={(to) => move(index, to)}
                drag={drag.of(index)}
              />
            );
          }}
        </BoundedList>
      </ul>
    </div>
  );
}

/** The agent has it and cannot return it. */
function SteeredCard({ prompt }: { prompt: SteeredPrompt }) {
  return (
    <li
      data-steered={prompt.message}
      className="flex items-center gap-2 rounded-lg border border-dashed px-3 py-1.5"
    >
      <CornerDownRight className="size-3.5 shrink-0 text-muted-foreground" aria-hidden="true" />
      <span className="min-w-0 flex-1 truncate">{clip(prompt.text) || "(files)"}</span>
      <span className="shrink-0 text-2xs text-muted-foreground">Given to the agent</span>
    </li>
  );
}
