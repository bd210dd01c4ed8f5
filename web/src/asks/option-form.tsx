/** The options of a permission or a plan as buttons, with an optional message to the agent. */
import { MessageSquarePlus } from "lucide-react";
import { useState } from "react";
import type { AskOption } from "../api/types.ts";
import { BoundedList } from "../ui/bounded-list.tsx";
import { Button } from "../ui/button.tsx";
import { clip } from "../ui/format.ts";
import type { Replying } from "./use-reply.ts";

interface OptionFormProps {
  options: readonly AskOption[];
  isOpen: boolean;
  reply: Replying;
}

export function OptionForm({ options, isOpen, reply }: OptionFormProps) {
  const [isWriting, setIsWriting] = useState(false);
  const [message, setMessage] = useState("");
  const first = options.find(({ effect }) => effect === "once" || effect === "other") ?? options[0];
  const isLocked = !isOpen || reply.sent !== undefined;

  return (
    <div>
      {isWriting && (
        <textarea
          // biome-ignore lint/a11y/noAutofocus: it appears because the person asked for it
          autoFocus
          aria-label="A message to the agent, sent with your answer"
          placeholder="Tell the agent why, or what to do instead"
          rows={2}
          value={message}
          onChange={(event) => setMessage(event.target.value)}
          className="mb-2.5 block w-full resize-y rounded-md border border-input bg-background px-2.5 py-1.5 text-[0.8125rem] max-md:text-base"
        />
      )}
      <div className="flex flex-wrap items-center gap-2">
        <BoundedList items={options} step={30} name="options">
          {(option) => (
            <Button
              key={option.id}
              look={lookOf(option, option === first)}
              disabled={isLocked}
              title={option.description && clip(option.description)}
              className="max-w-full"
              data-option={option.id}
              onClick={() => reply.send({ option: option.id, message: message.trim() || undefined })}
            >
              <span className="truncate">{clip(option.label)}</span>
            </Button>
          )}
        </BoundedList>
        {!isWriting && !isLocked && (
          <Button
            look="ghost"
            size="icon"
            aria-label="Add a message"
            title="Add a message to your answer"
            onClick={() => setIsWriting(true)}
          >
            <MessageSquarePlus />
          </Button>
        )}
      </div>
      <Reach options={options} />
    </div>
  );
}

/** What an "always" covers, and where it is kept. */
function Reach({ options }: { options: readonly AskOption[] }) {
  const lasting = options.filter(
    ({ effect, covers, storedIn, stops }) =>
      stops || ((effect === "always" || effect === "reject-always") && (covers?.length || storedIn)),
  );
  if (lasting.length === 0) return null;
  return (
    <ul className="mt-2 space-y-0.5 text-2xs text-muted-foreground leading-4">
      <BoundedList items={lasting} step={10} name="options" wrap={(button) => <li>{button}</li>}>
        {({ id, label, covers, storedIn, stops }) => (
          <li key={id} className="[overflow-wrap:anywhere]">
            <span className="font-medium text-soft">{clip(label)}</span>
            {covers?.length ? (
              <>
                {" covers "}
                <BoundedList items={covers} step={30} name="places">
                  {(cover, index) => (
                    <span key={cover}>
                      {index > 0 && ", "}
                      <code className="font-mono">{clip(cover, 1000)}</code>
                    </span>
                  )}
                </BoundedList>
              </>
            ) : null}
            {storedIn && (
              <>
                {covers?.length ? ", kept in " : " is kept in "}
                {storedIn === "session" ? "this session" : <code className="font-mono">{storedIn}</code>}
              </>
            )}
            {stops && " stops the turn"}
          </li>
        )}
      </BoundedList>
    </ul>
  );
}

function lookOf(option: AskOption, isFirst: boolean): "primary" | "plain" | "danger" {
  if (option.effect === "reject" || option.effect === "reject-always") return "danger";
  return isFirst ? "primary" : "plain";
}
