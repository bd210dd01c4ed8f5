/** How a message ended, what it used, and what can be done with it. */
import { lazy, type ReactNode, Suspense } from "react";
import type { MessageCommands } from "./message-commands.ts";
import { MessageUsage } from "./message-usage.tsx";
import type { MessageMetadata } from "./page-message.ts";

/** Most turns end well. */
const MessageEnding = lazy(() =>
  import("./message-ending.tsx").then((module) => ({ default: module.MessageEnding })),
);

interface MessageFooterProps {
  metadata: MessageMetadata;
  /** Does the turn again; absent where it cannot be. */
  onRetry?: () => void;
  changeModel?: MessageCommands["changeModel"];
  /** The buttons. */
  children?: ReactNode;
}

export function MessageFooter({ metadata, onRetry, changeModel, children }: MessageFooterProps) {
  return (
    <>
      {metadata.outcome !== undefined && metadata.outcome !== "completed" && (
        <Suspense>
          <MessageEnding metadata={metadata} onRetry={onRetry} onChangeModel={changeModel} />
        </Suspense>
      )}
      <div className="-mb-1.5 flex flex-wrap items-center gap-x-2">
        <MessageUsage metadata={metadata} />
        {children}
      </div>
    </>
  );
}
