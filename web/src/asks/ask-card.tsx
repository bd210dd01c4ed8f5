/** An open ask: what is asked, and all possible answers. */
import { ListChecks, MessageCircleQuestionMark, ShieldQuestionMark } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { useAccess } from "../access/use-access.tsx";
import type { FileEdit } from "../chat/message-blocks.ts";
import { FileDiffs } from "../parts/file-diff.tsx";
import { Markdown } from "../parts/markdown.tsx";
import { PlainText } from "../parts/plain-text.tsx";
import { safeLink } from "../parts/safe-url.ts";
import { classNames } from "../ui/class-names.ts";
import { clip } from "../ui/format.ts";
import { focusAfterAnswer } from "./focus-after-answer.ts";
import { OptionForm } from "./option-form.tsx";
import { QuestionForm } from "./question-form.tsx";
import type { ShownAsk } from "./shown-ask.ts";
import { useReply } from "./use-reply.ts";

const KINDS = {
  permission: { icon: ShieldQuestionMark, name: "Permission" },
  question: { icon: MessageCircleQuestionMark, name: "Question" },
  plan: { icon: ListChecks, name: "Plan to approve" },
};

interface AskCardProps {
  session: string;
  ask: ShownAsk;
  isOpen: boolean;
  /** More about what is asked. */
  children?: ReactNode;
  /** Inside the card of the call it is about, which shows this title already. */
  insideOf?: string;
}

export function AskCard({ session, ask, isOpen, insideOf, children }: AskCardProps) {
  const card = useRef<HTMLElement>(null);
  const reply = useReply(session, ask.ask, () => card.current && focusAfterAnswer(card.current));
  const canAnswer = useAccess().canAnswer(ask.kind);
  const { icon: Icon, name } = KINDS[ask.kind];
  const changes = (ask.changes ?? []) as FileEdit[];
  const link = ask.url === undefined ? undefined : safeLink(ask.url);
  const isInset = insideOf !== undefined;
  const isTitled = ask.title !== insideOf;
  const isOnlyQuestion = ask.questions?.length === 1 && ask.questions[0]?.text === ask.title;
  return (
    <section
      ref={card}
      // An answered ask is no longer a target for shortcuts.
      tabIndex={isOpen && canAnswer && !reply.sent ? -1 : undefined}
      data-ask={ask.ask}
      aria-label={`${name}: ${clip(ask.title)}`}
      className={classNames(
        "bg-waiting-soft",
        isInset
          ? "border-waiting-border border-t px-3 py-3"
          : "rounded-lg border border-waiting-border p-3.5",
      )}
    >
      {(isTitled || ask.description || link) && (
        <div className="mb-3 flex items-start gap-2">
          {isTitled && <Icon aria-hidden="true" className="mt-px size-4 shrink-0 text-waiting-text" />}
          <div className="min-w-0 flex-1">
            {isTitled && (
              <div className="flex items-baseline justify-between gap-2">
                <h3 className="font-semibold leading-5 [overflow-wrap:anywhere]">
                  <PlainText text={ask.title} />
                </h3>
                <span className="shrink-0 text-2xs text-waiting-text">{name}</span>
              </div>
            )}
            {ask.description && !isOnlyQuestion && (
              <div className={classNames("text-soft", isTitled && "mt-1")}>
                <Markdown text={ask.description} />
              </div>
            )}
            {link && (
              <a
                href={link}
                target="_blank"
                rel="noopener noreferrer"
                className="mt-1 block truncate text-primary-text underline"
              >
                {clip(link)}
              </a>
            )}
          </div>
        </div>
      )}
      {changes.length === 0 && children}
      {changes.length > 0 && (
        <div className="mb-3 space-y-2">
          <FileDiffs edits={changes} />
        </div>
      )}
      <div>
        {!canAnswer ? (
          <NotYours kind={ask.kind} />
        ) : ask.kind === "question" && ask.questions?.length ? (
          <QuestionForm questions={ask.questions} title={ask.title} isOpen={isOpen} reply={reply} />
        ) : (
          <OptionForm options={ask.options} isOpen={isOpen} reply={reply} />
        )}
      </div>
      {reply.problem && (
        <p role="alert" className="mt-2 text-danger-text text-xs">
          {reply.problem}
        </p>
      )}
      {ask.expiresAt !== undefined && (
        <p className="mt-2 text-2xs text-muted-foreground">
          Expires at {new Date(ask.expiresAt).toLocaleTimeString()}
        </p>
      )}
    </section>
  );
}

/** Questions can be answered by whoever may send prompts. */
function NotYours({ kind }: { kind: ShownAsk["kind"] }) {
  return (
    <p data-part="waits" className="text-soft text-xs">
      {kind === "question" ? "Waits for somebody who takes part." : "Waits for an operator."}
    </p>
  );
}
