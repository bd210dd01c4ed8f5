/** Questions with their options and free text. */
import { type FormEvent, useId, useState } from "react";
import type { AskQuestion } from "../api/types.ts";
import { PlainText } from "../parts/plain-text.tsx";
import { BoundedList } from "../ui/bounded-list.tsx";
import { Button } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { clip } from "../ui/format.ts";
import { collectAnswers, type Draft, draftOf } from "./question-answers.ts";
import type { Replying } from "./use-reply.ts";

interface QuestionFormProps {
  questions: readonly AskQuestion[];
  /** Shown above; a single question that repeats it is not shown again. */
  title: string;
  isOpen: boolean;
  reply: Replying;
}

export function QuestionForm({ questions, title, isOpen, reply }: QuestionFormProps) {
  const [drafts, setDrafts] = useState<Record<string, Draft>>(() =>
    Object.fromEntries(questions.map((question) => [question.id, draftOf(question)])),
  );
  const answers = collectAnswers(questions, drafts);
  const isLocked = !isOpen || reply.sent !== undefined;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (answers && !isLocked) reply.send({ answers });
  }

  return (
    <form onSubmit={submit} className="space-y-3.5">
      <BoundedList items={questions} step={10} name="questions">
        {(question) => (
          <Question
            key={question.id}
            question={question}
            isTitled={question.text !== title}
            isLocked={isLocked}
            draft={drafts[question.id] ?? draftOf(question)}
            onChange={(draft) => setDrafts((before) => ({ ...before, [question.id]: draft }))}
          />
        )}
      </BoundedList>
      <div className="flex gap-2 max-md:[&_button]:h-10">
        <Button type="submit" look="primary" disabled={!answers || isLocked}>
          Answer
        </Button>
        <Button look="ghost" disabled={isLocked} onClick={() => reply.send({ reply: "reject" })}>
          Decline
        </Button>
      </div>
    </form>
  );
}

interface QuestionProps {
  question: AskQuestion;
  isTitled: boolean;
  isLocked: boolean;
  draft: Draft;
  onChange: (draft: Draft) => void;
}

function Question({ question, isTitled, isLocked, draft, onChange }: QuestionProps) {
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
    <fieldset disabled={isLocked} className="min-w-0">
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
                  "flex cursor-pointer items-start gap-2.5 rounded-md border bg-background px-3 py-2",
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
                <span className="min-w-0">
                  <span className="block font-medium leading-[1.15rem]">{clip(option.label)}</span>
                  {option.description && (
                    <span className="block text-muted-foreground text-xs">
                      {clip(option.description, 1000)}
                    </span>
                  )}
                </span>
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
            className="h-8.5 w-full rounded-md border border-input bg-background px-3 text-[0.8125rem] placeholder:text-muted-foreground max-md:text-base"
          />
        )}
      </div>
    </fieldset>
  );
}
