/** The answers to a plan: approve it, in one of the ways the agent offers, or say what to change. */
import type { AskOption } from "../api/types.ts";
import { clip } from "../ui/format.ts";
import { AnswerButton, AnswerRow, OptionButtons } from "./answer-buttons.tsx";
import type { AnswersProps } from "./answers-props.ts";
import { groupOptions } from "./group-options.ts";
import { optionReach } from "./option-reach.ts";
import { ReasonField, useReason } from "./reason-field.tsx";
import { useAskKeys } from "./use-ask-keys.ts";

export function PlanAnswers(props: AnswersProps) {
  const { session, ask, card, isOpen, reply, about } = props;
  const reason = useReason(props);
  const { allow, others, always, deny, denials } = groupOptions(ask.options);
  const isLocked = !isOpen || reply.sent !== undefined;
  const ways = [...(allow ? [allow] : []), ...always, ...others];

  function choose({ id: option }: AskOption) {
    reply.send({ option, message: reason.text?.trim() || undefined });
  }
  const first = ways[0];
  const lasting = always[0];
  const hasKeys = useAskKeys({
    ...{ card, session, ask: ask.ask, isActive: !isLocked },
    keys: {
      y: first && (() => choose(first)),
      a: lasting && lasting !== first ? () => choose(lasting) : undefined,
      r: deny && reason.begin,
    },
  });
  const keyOf = (option: AskOption) => (option === first ? "y" : option === lasting ? "a" : undefined);

  if (reason.text !== undefined && deny) {
    return (
      <div data-answers="">
        <ReasonField
          label="What to change in the plan"
          placeholder="What should be different?"
          reason={reason}
          onSubmit={() => !isLocked && choose(deny)}
        />
        <AnswerRow isLocked={isLocked} hasKeys={hasKeys}>
          <AnswerButton look="primary" option={deny} onClick={() => choose(deny)}>
            {reason.text.trim() === "" ? clip(deny.label) : "Send"}
          </AnswerButton>
          <AnswerButton look="ghost" onClick={() => reason.setText(undefined)}>
            Back
          </AnswerButton>
        </AnswerRow>
      </div>
    );
  }
  return (
    <div data-answers="">
      <AnswerRow isLocked={isLocked} hasKeys={hasKeys}>
        <OptionButtons
          options={ways}
          propsOf={(option) => ({
            look: option === first ? "primary" : "plain",
            hotkey: keyOf(option),
            title: clip(reachText(option, about)) || undefined,
          })}
          onChoose={choose}
        />
        {deny && (
          <AnswerButton hotkey="r" isWide title={clip(deny.label)} onClick={reason.begin}>
            Revise…
          </AnswerButton>
        )}
        <OptionButtons options={denials} propsOf={() => ({ look: "ghost" })} onChoose={choose} />
      </AnswerRow>
    </div>
  );
}

function reachText(option: AskOption, about: AnswersProps["about"]): string {
  const { covers, notes } = optionReach(option, about);
  return [...covers, ...notes].join(" · ");
}
