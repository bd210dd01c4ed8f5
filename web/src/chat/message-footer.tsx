/** How a message ended, what it used, and what can be done with it. */
import type { ReactNode } from "react";
import type { MessageCommands } from "./message-commands.ts";
import { MessageEnding } from "./message-ending.tsx";
import { MessageUsage } from "./message-usage.tsx";
import type { MessageMetadata } from "./page-message.ts";

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
        <MessageEnding metadata={metadata} onRetry={onRetry} onChangeModel={changeModel} />
      )}
      <div className="-mb-1.5 flex flex-wrap items-center gap-x-2">
        <MessageUsage metadata={metadata} />
        {children}
      </div>
    </>
  );
}
