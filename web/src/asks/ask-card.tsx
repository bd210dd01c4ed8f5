/** An open ask: one title, what it is about in full, and the answers. */
import {
  EyeOff,
  FilePen,
  ListChecks,
  type LucideIcon,
  MessageCircleQuestionMark,
  ShieldQuestionMark,
  Terminal,
} from "lucide-react";
import { type MouseEvent, useMemo, useRef } from "react";
import { shellCommand } from "../../../src/core/shell-command.ts";
import { useAccess } from "../access/use-access.tsx";
import { useMyAsks } from "../access/use-my-asks.ts";
import { useConversation } from "../chat/conversation-context.ts";
import type { FileEdit } from "../chat/message-blocks.ts";
import { FileDiffs } from "../parts/file-diff.tsx";
import { hasHiddenInside } from "../parts/hidden-characters.ts";
import { Markdown } from "../parts/markdown.tsx";
import { PlainText } from "../parts/plain-text.tsx";
import { safeLink } from "../parts/safe-url.ts";
import { commandOf, isEmptyValue } from "../parts/tool-summary.ts";
import { ValuePanel } from "../parts/value-panel.tsx";
import { clip } from "../ui/format.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { Problem } from "../ui/problem.tsx";
import { useKept } from "../ui/use-kept.ts";
import { AllowAll } from "./allow-all.tsx";
import type { ShownAsk } from "./answers-props.ts";
import { askHeading } from "./ask-heading.ts";
import { besideCommand } from "./beside-command.ts";
import { isInput } from "./changed-input.ts";
import { CommandText } from "./command-text.tsx";
import { keptName } from "./kept-name.ts";
import { PermissionAnswers } from "./permission-answers.tsx";
import { PlanAnswers } from "./plan-answers.tsx";
import { QuestionForm } from "./question-form.tsx";
import { useCardFocus } from "./use-card-focus.ts";
import { useReply } from "./use-reply.ts";
import { WayToAsk } from "./way-to-ask.tsx";

const KINDS: Readonly<Record<ShownAsk["kind"], { icon: LucideIcon; name: string }>> = {
  permission: { icon: ShieldQuestionMark, name: "Permission" },
  question: { icon: MessageCircleQuestionMark, name: "Question" },
  plan: { icon: ListChecks, name: "Plan to approve" },
};

const InputEditor = lazyPart(() => import("./input-editor.tsx"));

const NO_CHANGES: readonly FileEdit[] = [];

interface AskCardProps {
  session: string;
  ask: ShownAsk;
  isOpen: boolean;
  /** Whether what it is about is still to come: until then nothing answers it, but it keeps the focus from those below. */
  isLoading?: boolean;
  /** That of the call it is about. */
  input?: unknown;
  /** Called when it is answered here. */
  onReply?: () => void;
}

export default function AskCard({ session, ask, isOpen, isLoading = false, input, onReply }: AskCardProps) {
  const card = useRef<HTMLElement>(null);
  const [isEditing, setIsEditing] = useKept<true | undefined>(
    `${keptName(session, ask.ask)} editing`,
    () => undefined,
  );
  /** One that is there again, since it was begun elsewhere, does not take the focus. */
  const isEditedHere = useRef(false);
  const reply = useReply(session, ask.ask, () => {
    onReply?.();
    if (card.current) focusAfterAnswer(card.current);
  });
  const canAnswer = useAccess().canAnswer(ask.kind);
  const place = usePlace(session, ask.ask);
  const { cwd } = useConversation();
  const { title, description, detail, questions } = ask;
  const changes = (ask.changes ?? NO_CHANGES) as readonly FileEdit[];
  const typed = ask.kind === "permission" ? commandOf(input) : undefined;
  const command = typed === undefined ? undefined : shellCommand(typed);
  const heading = askHeading(ask, command);
  const beside = useMemo(
    () => (typed === undefined ? undefined : besideCommand(input, { description, cwd })),
    [typed, input, description, cwd],
  );
  const isHiding = useMemo(
    () => [title, description, changes, detail, input, questions].some(hasHiddenInside),
    [title, description, changes, detail, input, questions],
  );
  const link = ask.url === undefined ? undefined : safeLink(ask.url);
  const isReady = isOpen && !isLoading;
  const isLocked = !isReady || reply.sent !== undefined;
  // An answered ask is no longer a target for shortcuts.
  const isTarget = isOpen && canAnswer && !reply.sent;
  useCardFocus(card, isTarget);
  const { icon, name } = KINDS[ask.kind];
  const Icon = command !== undefined ? Terminal : changes.length > 0 ? FilePen : icon;
  const isPlan = ask.kind === "plan";
  const editable = ask.editable && canAnswer && isInput(input) && !isEmptyValue(input) ? input : undefined;
  const allow = ask.options.find(({ effect }) => effect === "once");
  const answer = firstKey(ask);
  function edit() {
    isEditedHere.current = true;
    setIsEditing(true);
  }
  const answers = { session, ask, card, isOpen: isReady, reply, about: { command, cwd } };
  return (
    <>
      {canAnswer && <AllowAll session={session} ask={ask.ask} isLocked={isLocked} />}
      <section
        ref={card}
        tabIndex={isTarget ? -1 : undefined}
        data-ask={ask.ask}
        onClickCapture={stopSecondClick}
        aria-label={`${name}: ${clip(ask.title)}`}
        className="space-y-2.5 rounded-lg border border-waiting-border bg-waiting-soft p-3 md:p-3.5"
      >
        <div className="flex items-start gap-2.5">
          <h3 className="flex min-w-0 flex-1 items-start gap-2 font-semibold leading-5">
            <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-waiting-text" />
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {isPlan && <span className="font-normal text-muted-foreground">Plan · </span>}
              <PlainText text={heading.title} />
            </span>
            {place && (
              <span className="ml-auto shrink-0 font-normal text-2xs text-muted-foreground tabular-nums">
                {place}
              </span>
            )}
          </h3>
          {isTarget && isReady && answer && <WayToAsk card={card} answer={answer} />}
        </div>
        {isEditing && editable && allow ? (
          <InputEditor
            input={editable}
            isLocked={isLocked}
            takesFocus={isEditedHere.current}
            name={`${keptName(session, ask.ask)} input`}
            onCancel={() => setIsEditing(undefined)}
            onAllow={(changed) => reply.send({ option: allow.id, input: changed })}
          />
        ) : (
          <>
            {command !== undefined && <CommandText command={command} />}
            {beside && <ValuePanel label="With" value={beside} />}
            {changes.length > 0 && (
              <div className="space-y-2">
                <FileDiffs edits={changes} />
              </div>
            )}
            {command === undefined && changes.length === 0 && !isPlan && !isEmptyValue(input) && (
              <ValuePanel label="Input" value={input} />
            )}
          </>
        )}
        {heading.description && (
          <div className={isPlan ? "rounded-md border bg-raised px-3.5 py-2.5" : "text-soft"}>
            <Markdown text={heading.description} />
          </div>
        )}
        {isHiding && (
          <p
            data-part="hidden"
            className="flex items-start gap-2 text-waiting-text text-xs leading-5 [&_svg]:mt-0.75 [&_svg]:size-3.5 [&_svg]:shrink-0"
          >
            <EyeOff aria-hidden="true" />
            Contains hidden characters: what runs may not be what it looks like.
          </p>
        )}
        {!isEmptyValue(ask.detail) && <ValuePanel label="Details" value={ask.detail} />}
        {link && (
          <a
            href={link}
            target="_blank"
            rel="noopener noreferrer"
            className="block truncate text-primary-text underline"
          >
            {clip(link)}
          </a>
        )}
        {!canAnswer ? (
          <NotYours kind={ask.kind} />
        ) : ask.kind === "question" && ask.questions?.length ? (
          <QuestionForm {...answers} questions={ask.questions} />
        ) : isPlan ? (
          <PlanAnswers {...answers} />
        ) : (
          !isEditing && <PermissionAnswers {...answers} onEdit={editable && allow ? edit : undefined} />
        )}
        <Problem text={reply.problem} />
        {ask.expiresAt !== undefined && (
          <p className="text-2xs text-muted-foreground">
            Expires at {new Date(ask.expiresAt).toLocaleTimeString()}
          </p>
        )}
      </section>
    </>
  );
}

/** The second click of two at once may meet the card that took the place of the first. */
function stopSecondClick(event: MouseEvent): void {
  if (event.detail < 2 || !(event.target as Element).closest("button")) return;
  event.stopPropagation();
  // Otherwise a submit button would still submit its form.
  event.preventDefault();
}

/** Which one it is of those of its session, if it is not the only one. */
function usePlace(session: string, ask: string): string | undefined {
  const asks = useMyAsks().filter((other) => other.session === session);
  const index = asks.findIndex((other) => other.ask === ask);
  return asks.length > 1 && index >= 0 ? `${index + 1} of ${asks.length}` : undefined;
}

/** Of questions without options there is none. */
function firstKey({ kind, questions }: ShownAsk): string | undefined {
  if (kind !== "question" || !questions?.length) return "y";
  return questions.some(({ options }) => options?.length) ? "1" : undefined;
}

/** Questions can be answered by whoever may send prompts. */
function NotYours({ kind }: { kind: ShownAsk["kind"] }) {
  return (
    <p data-part="waits" className="text-soft text-xs">
      {kind === "question"
        ? "Only those who take part can answer."
        : "Only the owner or an operator can answer."}
    </p>
  );
}

/**
 * Focuses the next open ask as a whole, so that a key that is still pressed does not answer it. If there is none,
 * focuses the list of asks or the composer.
 */
function focusAfterAnswer(card: HTMLElement): void {
  const focused = document.activeElement;
  // A menu of the card is not inside of it.
  if (!card.contains(focused) && !focused?.closest("[role=menu]")) return;
  const list = card.closest<HTMLElement>("[role=dialog]");
  const others = [...(list ?? document).querySelectorAll<HTMLElement>("[data-ask][tabindex]")];
  const place = others.indexOf(card);
  const next = others[place + 1] ?? others.find((other) => other !== card);
  // A phone's keyboard would cover what the agent does next.
  const composer = matchMedia("(pointer: fine)").matches ? document.getElementById("composer") : null;
  (next ?? list ?? composer)?.focus();
}
