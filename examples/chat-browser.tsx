/**
 * The browser side of chat-route-handler.ts: stock `useChat`, which knows neither the daemon nor its token. It shows the
 * conversation, streams the answer, asks for permissions, stops the agent, and resumes after a reload.
 */
import { useChat } from "@ai-sdk/react";
import { lastAssistantMessageIsCompleteWithApprovalResponses } from "ai";
import type { InterlinguaUIMessage } from "interlingua/ai-sdk";
import { type FormEvent, useState } from "react";

/** `history` comes from `GET /api/chat/ID/messages`. */
export function Chat({ id, history }: { id: string; history: InterlinguaUIMessage[] }) {
  const [text, setText] = useState("");
  const chat = useChat<InterlinguaUIMessage>({
    id,
    messages: history,
    resume: true,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });

  function send(event: FormEvent): void {
    event.preventDefault();
    void chat.sendMessage({ text });
    setText("");
  }

  /** `chat.stop()` would only end the request. */
  const stop = () => fetch(`/api/chat/${id}/stop`, { method: "POST" });

  return (
    <main>
      {chat.messages.map((message) => (
        <article key={message.id}>
          {message.parts.map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts are only added at the end.
            <Part key={`${message.id}-${index}`} part={part} onAnswer={chat.addToolApprovalResponse} />
          ))}
          {message.metadata?.model && <footer>{message.metadata.model}</footer>}
        </article>
      ))}
      {chat.error && <p role="alert">{chat.error.message}</p>}
      <form onSubmit={send}>
        <input value={text} onChange={(event) => setText(event.target.value)} aria-label="Message" />
        <button type="submit">Send</button>
        <button type="button" onClick={stop}>
          Stop
        </button>
      </form>
    </main>
  );
}

interface PartProps {
  part: InterlinguaUIMessage["parts"][number];
  onAnswer(answer: { id: string; approved: boolean }): void;
}

function Part({ part, onAnswer }: PartProps) {
  if (part.type === "text") return <p>{part.text}</p>;
  // The data parts are typed by their names.
  if (part.type === "data-notice") return <p role="status">{part.data.text}</p>;
  if (part.type === "data-file-edit") return <pre>{`${part.data.kind} ${part.data.path}`}</pre>;
  if (!("toolCallId" in part)) return null;
  if (part.state !== "approval-requested") return <pre>{`${part.title ?? part.type}: ${part.state}`}</pre>;
  const { id } = part.approval;
  return (
    <fieldset>
      <legend>{part.title ?? part.type}</legend>
      <button type="button" onClick={() => onAnswer({ id, approved: true })}>
        Allow
      </button>
      <button type="button" onClick={() => onAnswer({ id, approved: false })}>
        Deny
      </button>
    </fieldset>
  );
}
