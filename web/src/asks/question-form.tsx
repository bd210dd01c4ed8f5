/** Questions with their options and free text. */
import { type FormEvent, useId, useRef, useState } from "react";
import type { AskQuestion } from "../api/types.ts";
import { PlainText } from "../parts/plain-text.tsx";
import { BoundedList } from "../ui/bounded-list.tsx";
import { classNames } from "../ui/class-names.ts";
import { clip } from "../ui/format.ts";
import { useKept } from "../ui/use-kept.ts";
import { AnswerButton, AnswerRow, KeyHint } from "./answer-buttons.tsx";
import type { AnswersProps } from "./answers-props.ts";
import { keptName } from "./kept-name.ts";
import { collectAnswers, type Draft, draftOf } from "./question-answers.ts";
import { useAskKeys } from "./use-ask-keys.ts";

interface QuestionFormProps extends Omit<AnswersProps, "about"> {
  questions: readonly AskQuestion[];
}

/** The title of the ask is shown above; a single question that repeats it is not shown again. */
export function QuestionForm({ questions, session, ask, card, isOpen, reply }: QuestionFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [drafts, setDrafts] = useKept<Record<string, Draft>>(`${keptName(session, ask.ask)} answers`, () =>
    Object.fromEntries(questions.map((question) => [question.id, draftOf(question)])),
  );
  const answers = collectAnswers(questions, drafts);
  const isLocked = !isOpen || reply.sent !== undefined;

  // A digit chooses an option of the question that has the focus, else of the first that has no answer; Enter answers.
  const [focused, setFocused] = useState<string>();
  const asked =
    questions.find(({ id }) => id === focused) ??
    questions.find((question) => keyCount(question) > 0 && !collectAnswers([needed(question)], drafts)) ??
    questions[0]!;
  const hasKeys = useAskKeys({
    ...{ card, session, ask: ask.ask, isActive: !isLocked },
    keys: Object.fromEntries(
      Array.from({ length: keyCount(asked) }, (_, index) => [
        String(index + 1),
        () => {
          const options = form.current
            ?.querySelectorAll("fieldset")
            [questions.indexOf(asked)]?.querySelectorAll<HTMLElement>(
              "input:is([type=radio], [type=checkbox])",
            );
          options?.[index]?.focus();
          options?.[index]?.click();
        },
      ]),
    ),
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (answers && !isLocked) reply.send({ answers });
  }

  return (
    <form ref={form} onSubmit={submit} className="space-y-3.5">
      <BoundedList items={questions} step={10} name="questions">
        {(question) => (
          <Question
            key={question.id}
            question={question}
            isTitled={question.text !== ask.title}
            isLocked={isLocked}
            hasKeys={hasKeys && question === asked}
            onFocus={(isIn) => setFocused(isIn ? question.id : undefined)}
            draft={drafts[question.id] ?? draftOf(question)}
            onChange={(draft) => setDrafts({ ...drafts, [question.id]: draft })}
          />
        )}
      </BoundedList>
      <AnswerRow isLocked={isLocked} hasKeys={hasKeys}>
        <AnswerButton type="submit" look="primary" disabled={!answers || isLocked}>
          Answer
        </AnswerButton>
        <AnswerButton look="ghost" onClick={() => reply.send({ reply: "reject" })}>
          Decline
        </AnswerButton>
      </AnswerRow>
    </form>
  );
}

/** How many of its options have a digit. */
function keyCount({ options = [] }: AskQuestion): number {
  return Math.min(9, options.length);
}

function needed(question: AskQuestion): AskQuestion {
  return { ...question, required: true };
}

interface QuestionProps {
  question: AskQuestion;
  isTitled: boolean;
  isLocked: boolean;
  /** Whether the digits choose its options now. */
  hasKeys: boolean;
  /** Called when the focus comes, and when it goes. */
  onFocus: (isIn: boolean) => void;
  draft: Draft;
  onChange: (draft: Draft) => void;
}

function Question({ question, isTitled, isLocked, hasKeys, onFocus, draft, onChange }: QuestionProps) {
  const group = useId();
  const { options = [], multiple = false } = question;
  // Without options there is nothing but free text.
  const isFree = question.free || options.length === 0;

  function toggle(value: string) {
    const isChosen = draft.chosen.includes(value);
    if (!multiple) return onChange({ chosen: [value], text: "" });
    const chosen = isChosen ? draft.chosen.filter((other) => other !== value) : [...draft.chosen, value];
    onChange({ ...draft, chosen });
  }

  return (
    <fieldset
      disabled={isLocked}
      onFocus={() => onFocus(true)}
      onBlur={() => onFocus(false)}
      className="min-w-0"
    >
      <legend className={classNames("mb-1.5 font-semibold", !isTitled && "sr-only")}>
        <PlainText text={question.text} />
      </legend>
      {question.description && (
        <p className="mb-1.5 text-muted-foreground text-xs">
          <PlainText text={question.description} />
        </p>
      )}
      <div className="space-y-1.5">
        <BoundedList items={options} step={20} name="options">
          {(option) => {
            const value = option.value ?? option.label;
            const isChosen = draft.chosen.includes(value);
            return (
              <label
                key={value}
                className={classNames(
                  "flex cursor-pointer items-start gap-2.5 rounded-md border bg-background px-3 py-2 touch:min-h-11 touch:py-2.5",
                  isChosen ? "border-primary ring-1 ring-primary" : "border-input hover:bg-hover",
                )}
              >
                <input
                  type={multiple ? "checkbox" : "radio"}
                  name={group}
                  checked={isChosen}
                  onChange={() => toggle(value)}
                  className="mt-0.5 size-3.5 accent-primary"
                />
                <span className="min-w-0 flex-1">
                  <span className="block font-medium leading-[1.15rem]">{clip(option.label)}</span>
                  {option.description && (
                    <span className="block text-muted-foreground text-xs">
                      {clip(option.description, 1000)}
                    </span>
                  )}
                </span>
                {options.indexOf(option) < keyCount(question) && (
                  <KeyHint works={hasKeys}>{String(options.indexOf(option) + 1)}</KeyHint>
                )}
              </label>
            );
          }}
        </BoundedList>
        {isFree && (
          <input
            type={
              question.secret
                ? "password"
                : question.type === "number" || question.type === "integer"
                  ? "number"
                  : "text"
            }
            aria-label={options.length > 0 ? "Another answer" : clip(question.text)}
            placeholder={options.length > 0 ? "Something else…" : "Your answer"}
            autoComplete="off"
            value={draft.text}
            onChange={(event) => onChange({ chosen: multiple ? draft.chosen : [], text: event.target.value })}
            className="h-8.5 w-full rounded-md border border-input bg-background px-3 text-[0.8125rem] placeholder:text-muted-foreground touch:h-11 touch:text-base"
          />
        )}
      </div>
    </fieldset>
  );
}
