/** What an answer took: how long and how much in a glance, all of it on a press. */
import { Popover } from "radix-ui";
import { useContext } from "react";
import { PlayMoney } from "../agents/use-play-money.ts";
import { clip, formatCost, formatCount, formatDuration } from "../ui/format.ts";
import { PopoverWindow } from "../ui/popover-window.tsx";
import { ModelNames } from "./model-names.ts";
import type { MessageMetadata } from "./page-message.ts";

export function MessageUsage({ metadata }: { metadata: MessageMetadata }) {
  const { usage, cost } = metadata;
  const isPlay = useContext(PlayMoney);
  const glance = [...timeOf(metadata), cost !== undefined && costText(cost, isPlay)].filter(Boolean);
  if (metadata.outcome === undefined || (glance.length === 0 && !usage)) return null;
  return (
    <Popover.Root>
      <Popover.Trigger
        data-part="usage"
        title="What it used"
        className="-ml-1.5 h-7 rounded-md px-1.5 text-2xs text-muted-foreground tabular-nums hover:bg-hover hover:text-foreground pointer-coarse:h-10"
      >
        {glance.join(" · ") || "Usage"}
      </Popover.Trigger>
      <PopoverWindow look="note" aria-label="What it used" sideOffset={4} className="min-w-52">
        <Figures metadata={metadata} />
      </PopoverWindow>
    </Popover.Root>
  );
}

function Figures({ metadata }: { metadata: MessageMetadata }) {
  const { usage, cost, model } = metadata;
  const names = useContext(ModelNames);
  const isPlay = useContext(PlayMoney);
  const [time, waited] = timeOf(metadata);
  const cached = usage?.cacheRead ? `${formatCount(usage.cacheRead)} cached` : undefined;
  const rows: [string, string | undefined, string?][] = [
    ["Model", model && clip(names.find(({ id }) => id === model)?.name ?? model, 80)],
    ["Time", time, waited],
    ["Cost", cost === undefined ? undefined : costText(cost, isPlay)],
    ["Input", usage?.input === undefined ? undefined : `${formatCount(usage.input)} tokens`, cached],
    ["Output", usage?.output === undefined ? undefined : `${formatCount(usage.output)} tokens`],
  ];
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-0.5">
      {rows.flatMap(([name, value, more]) =>
        value === undefined
          ? []
          : [
              <dt key={`${name} name`} className="text-muted-foreground">
                {name}
              </dt>,
              <dd key={name} className="text-right tabular-nums">
                {value}
                {more && <span className="block text-2xs text-muted-foreground">{more}</span>}
              </dd>,
            ],
      )}
    </dl>
  );
}

function costText(cost: number, isPlay: boolean): string {
  return isPlay ? `${formatCost(cost)} play money` : formatCost(cost);
}

/** How long the agent was at work, and for how long it waited, if that is worth a word. */
function timeOf({ durationMs, waitedMs = 0 }: MessageMetadata): string[] {
  if (durationMs === undefined) return [];
  const worked = formatDuration(durationMs - waitedMs);
  return waitedMs < 1000 ? [worked] : [worked, `waited ${formatDuration(waitedMs)} for you`];
}
