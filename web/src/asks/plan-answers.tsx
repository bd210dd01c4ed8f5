/** The answers to a plan: approve it, in one of the ways the agent offers, or say what to change. */
import { useRef } from "react";
import type { AskOption } from "../api/types.ts";
import { BoundedList } from "../ui/bounded-list.tsx";
import { Button } from "../ui/button.tsx";
import { clip } from "../ui/format.ts";
import { useKept } from "../ui/use-kept.ts";
import { AnswerRow } from "./answer-row.tsx";
import type { AnswersProps } from "./answers-props.ts";
import { groupOptions } from "./group-options.ts";
import { keptName } from "./kept-name.ts";
import { KeyHint } from "./key-hint.tsx";
import { optionReach } from "./option-reach.ts";
import { ReasonField } from "./reason-field.tsx";
import { useAskKeys } from "./use-ask-keys.ts";

export function PlanAnswers({ session, ask, card, isOpen, reply, about }: AnswersProps) {
  const [reason, setReason] = useKept<string | undefined>(
    `${keptName(session, ask.ask)} reason`,
    () => undefined,
  );
  const { allow, others, always, deny, denials } = groupOptions(ask.options);
  const isLocked = !isOpen || reply.sent !== undefined;
  const isWriting = reason !== undefined;
  const ways = [...(allow ? [allow] : []), ...always, ...others];

  function choose({ id: option }: AskOption) {
    reply.send({ option, message: reason?.trim() || undefined });
  }
  /** One that is there again, since it was begun elsewhere, does not take the focus. */
  const isBegunHere = useRef(false);
  function revise() {
    isBegunHere.current = true;
    setReason(reason ?? "");
  }
  const first = ways[0];
  const lasting = always[0];
  const hasKeys = useAskKeys({
    ...{ card, session, ask: ask.ask, isActive: !isLocked },
    keys: {
      y: first && (() => choose(first)),
      a: lasting && lasting !== first ? () => choose(lasting) : undefined,
      r: deny && revise,
    },
  });
  const keyOf = (option: AskOption) => (option === first ? "y" : option === lasting ? "a" : undefined);

  return (
    <div data-answers="">
      {isWriting && deny && (
        <ReasonField
          label="What to change in the plan"
          placeholder="What should be different?"
          value={reason}
          takesFocus={isBegunHere.current}
          onChange={setReason}
          onSubmit={() => !isLocked && choose(deny)}
          onCancel={() => setReason(undefined)}
        />
      )}
      <AnswerRow>
        {isWriting && deny ? (
          <>
            <Button look="primary" disabled={isLocked} data-option={deny.id} onClick={() => choose(deny)}>
              {reason.trim() === "" ? clip(deny.label) : "Send"}
            </Button>
            <Button look="ghost" disabled={isLocked} onClick={() => setReason(undefined)}>
              Back
            </Button>
          </>
        ) : (
          <>
            <BoundedList items={ways} step={10} name="options">
              {(option) => (
                <Button
                  key={option.id}
                  look={option === first ? "primary" : "plain"}
                  disabled={isLocked}
                  data-option={option.id}
                  aria-keyshortcuts={keyOf(option)}
                  title={clip(reachText(option, about)) || undefined}
                  className="max-w-full max-md:basis-full!"
                  onClick={() => choose(option)}
                >
                  <span className="truncate">{clip(option.label)}</span>
                  {keyOf(option) && <KeyHint works={hasKeys}>{keyOf(option)!}</KeyHint>}
                </Button>
              )}
            </BoundedList>
            {deny && (
              <Button
                disabled={isLocked}
                aria-keyshortcuts="r"
                title={clip(deny.label)}
                className="max-md:basis-full!"
                onClick={revise}
              >
                Revise…
                <KeyHint works={hasKeys}>r</KeyHint>
              </Button>
            )}
            <BoundedList items={denials} step={10} name="options">
              {(option) => (
                <Button
                  key={option.id}
                  look="ghost"
                  disabled={isLocked}
                  data-option={option.id}
                  className="max-w-full max-md:basis-full!"
                  onClick={() => choose(option)}
                >
                  <span className="truncate">{clip(option.label)}</span>
                </Button>
              )}
            </BoundedList>
          </>
        )}
      </AnswerRow>
    </div>
  );
}

function reachText(option: AskOption, about: AnswersProps["about"]): string {
  const { covers, notes } = optionReach(option, about);
  return [...covers, ...notes].join(" · ");
}
