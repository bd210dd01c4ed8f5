/** What an ask is about, for places that do not show its call: nobody should allow what they cannot see. */
import { useEffect, useState } from "react";
import { readChat } from "../api/client.ts";
import type { Ask } from "../api/types.ts";
import type { DaemonMessage } from "../chat/page-message.ts";
import { commandOf, isEmptyValue } from "../parts/tool-summary.ts";
import { ValuePanel } from "../parts/value-panel.tsx";
import { inputOfCall } from "./input-of-call.ts";

export function AskSubject({ ask }: { ask: Ask }) {
  const [input, setInput] = useState<unknown>();
  const { session, message } = ask;
  const id = ask.kind === "permission" ? ask.call : undefined;
  useEffect(() => {
    if (id === undefined || message === undefined) return;
    const controller = new AbortController();
    const path = `${session}/messages/${encodeURIComponent(message)}`;
    readChat<{ message: DaemonMessage }>(path, controller.signal).then(
      (found) => setInput(inputOfCall(found.message, id)),
      // The session itself shows it.
      () => {},
    );
    return () => controller.abort();
  }, [session, message, id]);
  if (isEmptyValue(input)) return null;
  const command = commandOf(input);
  return (
    <div className="mb-3">
      <ValuePanel label={command ? "Command" : "Input"} value={command ?? input} />
    </div>
  );
}
