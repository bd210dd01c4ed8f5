/** Prompts that wait for the running turn: they can be changed and withdrawn until they are taken up. */
import { CornerDownRight, Hourglass, Pencil, X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { useAccess } from "../access/use-access.tsx";
import { daemon } from "../api/client.ts";
import { messageOf } from "../api/error-text.ts";
import type { PromptPart, QueuedPrompt } from "../api/types.ts";
import type { SteeredPrompt } from "../chat/use-session-chat.ts";
import { shownName } from "../people/shown-name.ts";
import { BoundedList } from "../ui/bounded-list.tsx";
import { Button } from "../ui/button.tsx";
import { clip } from "../ui/format.ts";
import { textOf } from "./prompt-text.ts";

/** Beyond this number only the newest are shown. */
const MAX_STEERED = 20;

interface QueueListProps {
  session: string;
  queue: readonly QueuedPrompt[];
  steered: readonly SteeredPrompt[];
}

export function QueueList({ session, queue, steered }: QueueListProps) {
  if (queue.length + steered.length === 0) return null;
  return (
    <ul
      aria-label="Waiting prompts"
      className="mb-2 max-h-[24dvh] overflow-y-auto rounded-lg border bg-raised"
    >
      {steered.slice(-MAX_STEERED).map((prompt) => (
        <SteeredRow key={prompt.message} prompt={prompt} />
      ))}
      <BoundedList
        items={queue}
        step={30}
        name="prompts"
        wrap={(button) => <li className="p-1">{button}</li>}
      >
        {(prompt) => <QueuedRow key={prompt.message} session={session} prompt={prompt} />}
      </BoundedList>
    </ul>
  );
}

/** The agent has it and cannot return it. */
function SteeredRow({ prompt }: { prompt: SteeredPrompt }) {
  return (
    <li
      data-steered={prompt.message}
      className="flex items-center gap-2 border-b px-3 py-1.5 last:border-b-0"
    >
      <CornerDownRight className="size-3.5 shrink-0 text-muted-foreground" aria-hidden="true" />
      <span className="min-w-0 flex-1 truncate">{clip(prompt.text) || "(files)"}</span>
      <span className="shrink-0 text-2xs text-muted-foreground">Given to the agent</span>
    </li>
  );
}

function QueuedRow({ session, prompt }: { session: string; prompt: QueuedPrompt }) {
  const text = textOf(prompt.parts);
  const [draft, setDraft] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const params = { id: session, message: prompt.message };
  const { me, can } = useAccess();
  const isOwn = prompt.author === me.token;
  const canChange = can("queue.any") || (isOwn && can("queue.own"));
  const Icon = prompt.whenBusy === "steer" ? CornerDownRight : Hourglass;

  function save() {
    const value = draft?.trim();
    setDraft(undefined);
    if (!value || value === text) return;
    const parts: PromptPart[] = [
      ...prompt.parts.filter(({ type }) => type !== "text"),
      { type: "text", text: value },
    ];
    daemon()
      .call("PATCH /v1/sessions/{id}/queue/{message}", { params, body: { parts } })
      .catch((error) => setProblem(messageOf(error)));
  }

  function onKey(event: KeyboardEvent) {
    if (event.key === "Escape") setDraft(undefined);
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      save();
    }
  }

  return (
    <li data-queued={prompt.message} className="border-b px-3 py-1.5 last:border-b-0">
      <div className="flex items-center gap-2">
        <Icon
          className="size-3.5 shrink-0 text-muted-foreground"
          aria-label={prompt.whenBusy === "steer" ? "Steers the turn" : "Waits for the turn"}
        />
        {draft === undefined ? (
          <span className="min-w-0 flex-1 truncate">{clip(text) || "(files)"}</span>
        ) : (
          <textarea
            // biome-ignore lint/a11y/noAutofocus: it appears because the person asked for it
            autoFocus
            aria-label="Change the waiting prompt"
            rows={Math.min(6, draft.split("\n").length)}
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
            onKeyDown={onKey}
            onBlur={save}
            className="min-w-0 flex-1 resize-none rounded border border-input bg-background px-2 py-1 max-md:text-base"
          />
        )}
        {!isOwn && prompt.by !== undefined && (
          <span className="max-w-40 shrink-0 truncate text-2xs text-muted-foreground">
            by {shownName(prompt.by)}
          </span>
        )}
        {canChange && (
          <>
            <Button
              look="ghost"
              size="small"
              aria-label="Change"
              title="Change"
              onClick={() => setDraft(text)}
            >
              <Pencil />
            </Button>
            <Button
              look="ghost"
              size="small"
              aria-label="Withdraw"
              title="Withdraw"
              onClick={() =>
                daemon()
                  .call("DELETE /v1/sessions/{id}/queue/{message}", { params })
                  .catch((error) => setProblem(messageOf(error)))
              }
            >
              <X />
            </Button>
          </>
        )}
      </div>
      {problem && <p className="text-danger-text text-xs">{problem}</p>}
    </li>
  );
}
