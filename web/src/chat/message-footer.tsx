/** How a message ended, what it used, and what can be done with it. */
import { CircleAlert, CircleStop, Gauge, ShieldX } from "lucide-react";
import type { ReactNode } from "react";
import { PlainText } from "../parts/plain-text.tsx";
import { classNames } from "../ui/class-names.ts";
import { clip, formatCost, formatCount, formatDuration } from "../ui/format.ts";
import type { MessageMetadata } from "./page-message.ts";

/** `children` are the buttons. */
export function MessageFooter({ metadata, children }: { metadata: MessageMetadata; children?: ReactNode }) {
  return (
    <>
      <Ending metadata={metadata} />
      <div className="-mb-1.5 flex flex-wrap items-center gap-x-2">
        <UsageLine metadata={metadata} />
        {children}
      </div>
    </>
  );
}

function Ending({ metadata }: { metadata: MessageMetadata }) {
  const { outcome, error, delivery } = metadata;
  switch (outcome) {
    case "failed":
      return (
        <EndingCard icon={<CircleAlert />} title="The turn failed" code={error?.code} tone="danger">
          <PlainText text={error?.message ?? "The agent gave no reason."} />
        </EndingCard>
      );
    case "interrupted":
      if (error?.code === "daemon_restarted") {
        return (
          <EndingCard icon={<CircleStop />} title="Cut off by a restart of the daemon" tone="waiting">
            What the agent had said until then is above. Your prompt was not sent again
            {delivery === "unknown" ? "; whether the agent got it is not known" : ""}. Send it again to go on.
          </EndingCard>
        );
      }
      return (
        <EndingCard icon={<CircleStop />} title="Stopped" tone="plain">
          {error?.message && <PlainText text={error.message} />}
        </EndingCard>
      );
    case "refused":
      return (
        <EndingCard icon={<ShieldX />} title="The agent declined" tone="waiting">
          {error?.message && <PlainText text={error.message} />}
        </EndingCard>
      );
    case "limit":
      return (
        <EndingCard icon={<Gauge />} title="A limit was reached" code={error?.code} tone="waiting">
          {error?.message && <PlainText text={error.message} />}
        </EndingCard>
      );
    default:
      return null;
  }
}

const TONES = {
  danger: "border-danger-border bg-danger-soft [&_svg]:text-danger-text",
  waiting: "border-waiting-border bg-waiting-soft [&_svg]:text-waiting-text",
  plain: "bg-muted [&_svg]:text-muted-foreground",
};

interface EndingCardProps {
  icon: ReactNode;
  title: string;
  code?: string;
  tone: keyof typeof TONES;
  children?: ReactNode;
}

function EndingCard({ icon, title, code, tone, children }: EndingCardProps) {
  return (
    <div
      data-ending={tone}
      className={classNames(
        "flex items-start gap-2 rounded-lg border px-3 py-2 [&_svg]:mt-[3px] [&_svg]:size-3.5 [&_svg]:shrink-0",
        TONES[tone],
      )}
    >
      {icon}
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2 font-medium">
          {title}
          {code && (
            <code className="font-mono font-normal text-2xs text-muted-foreground">{clip(code, 80)}</code>
          )}
        </p>
        {children && <p className="text-soft text-xs leading-5 [overflow-wrap:anywhere]">{children}</p>}
      </div>
    </div>
  );
}

function UsageLine({ metadata }: { metadata: MessageMetadata }) {
  const { usage, cost, durationMs, model } = metadata;
  const items = [
    model && clip(model, 80),
    usage?.input !== undefined &&
      `${formatCount(usage.input)} in${usage.cacheRead ? ` (${formatCount(usage.cacheRead)} cached)` : ""}`,
    usage?.output !== undefined && `${formatCount(usage.output)} out`,
    cost !== undefined && formatCost(cost),
    durationMs !== undefined && formatDuration(durationMs),
  ].filter((item): item is string => Boolean(item));
  if (metadata.outcome === undefined || items.length === 0) return null;
  return (
    <p data-part="usage" className="flex flex-wrap gap-x-1.5 text-2xs text-muted-foreground tabular-nums">
      {items.map((item, index) => (
        <span key={item} className="flex gap-x-1.5">
          {index > 0 && <span aria-hidden="true">·</span>}
          {item}
        </span>
      ))}
    </p>
  );
}
