/** How a turn ended that did not end well, and what helps. */
import { CircleAlert, CircleStop, Gauge, RotateCcw, ShieldX } from "lucide-react";
import { type ReactNode, useState } from "react";
import { isCutOff } from "../../../src/core/is-cut-off.ts";
import { PlainText } from "../parts/plain-text.tsx";
import { Button } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { clip } from "../ui/format.ts";
import type { MessageMetadata } from "./page-message.ts";

/** By code; every other one is a restart. */
const CUT_OFF: Readonly<Record<string, string>> = {
  node_lost: "Cut off: its node was lost",
  node_draining: "Cut off: its node was told to go",
};

interface MessageEndingProps {
  metadata: MessageMetadata;
  /** Absent where it cannot be done again. */
  onRetry?: () => void;
  /** Absent where there is no other model to choose. */
  onChangeModel?: () => void;
}

export function MessageEnding({ metadata, onRetry, onChangeModel }: MessageEndingProps) {
  const { outcome, error, delivery } = metadata;
  const said = error?.message && <PlainText text={error.message} />;
  switch (outcome) {
    case "failed":
      return (
        <EndingCard
          icon={<CircleAlert />}
          title="The turn failed"
          code={error?.code}
          tone="danger"
          onRetry={onRetry}
          onChangeModel={isOfModel(error?.code) ? onChangeModel : undefined}
        >
          {said ?? "The agent gave no reason."}
        </EndingCard>
      );
    case "interrupted":
      if (isCutOff(error?.code)) {
        return (
          <EndingCard
            icon={<CircleStop />}
            title={CUT_OFF[error?.code ?? ""] ?? "Cut off by a restart"}
            tone="waiting"
            onRetry={onRetry}
          >
            What the agent had said until then is above.
            {delivery === "unknown" && " Whether it got your prompt is not known."}
          </EndingCard>
        );
      }
      return (
        <p
          data-ending="plain"
          className="flex items-start gap-2 text-muted-foreground text-xs leading-5 [&_svg]:mt-[3px] [&_svg]:size-3.5 [&_svg]:shrink-0"
        >
          <CircleStop aria-hidden="true" />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <span>Stopped</span>
            {said && <>: {said}</>}
          </span>
        </p>
      );
    case "refused":
      return (
        <EndingCard icon={<ShieldX />} title="The agent declined" tone="waiting">
          {said}
        </EndingCard>
      );
    case "limit":
      return (
        <EndingCard
          icon={<Gauge />}
          title="A limit was reached"
          code={error?.code}
          tone="waiting"
          onRetry={onRetry}
          onChangeModel={onChangeModel}
        >
          {said}
        </EndingCard>
      );
    default:
      return null;
  }
}

/** Whether another model may help. */
function isOfModel(code = ""): boolean {
  return /model|overload|rate|limit|quota|billing|context/i.test(code);
}

const TONES = {
  danger: "border-danger-border bg-danger-soft [&>svg]:text-danger-text",
  waiting: "border-waiting-border bg-waiting-soft [&>svg]:text-waiting-text",
};

interface EndingCardProps extends Omit<MessageEndingProps, "metadata"> {
  icon: ReactNode;
  title: string;
  code?: string;
  tone: keyof typeof TONES;
  children?: ReactNode;
}

function EndingCard({ icon, title, code, tone, onRetry, onChangeModel, children }: EndingCardProps) {
  const [hasDetails, setHasDetails] = useState(false);
  return (
    <div
      data-ending={tone}
      className={classNames(
        "flex items-start gap-2 rounded-lg border px-3 py-2.5 [&>svg]:mt-[3px] [&>svg]:size-3.5 [&>svg]:shrink-0",
        TONES[tone],
      )}
    >
      {icon}
      <div className="min-w-0 flex-1">
        <p className="font-medium">{title}</p>
        {children && <p className="text-soft text-xs leading-5 [overflow-wrap:anywhere]">{children}</p>}
        {(onRetry || onChangeModel || code) && (
          <div className="mt-2 flex flex-wrap items-center gap-1.5">
            {onRetry && (
              <Button size="small" className={TALL} onClick={onRetry}>
                <RotateCcw aria-hidden="true" /> Try again
              </Button>
            )}
            {onChangeModel && (
              <Button size="small" className={TALL} onClick={onChangeModel}>
                Change model
              </Button>
            )}
            {code && (
              <Button
                size="small"
                look="ghost"
                className={TALL}
                aria-expanded={hasDetails}
                onClick={() => setHasDetails(!hasDetails)}
              >
                Details
              </Button>
            )}
          </div>
        )}
        {code && hasDetails && (
          <code className="mt-1.5 block font-mono text-2xs text-muted-foreground [overflow-wrap:anywhere]">
            {clip(code, 80)}
          </code>
        )}
      </div>
    </div>
  );
}

const TALL = "pointer-coarse:h-10 pointer-coarse:px-3";
