/** The answers to a permission: allow, always (what it covers), deny (with a reason), change it first. */
import { ChevronDown, Ellipsis, MessageSquareText, Pencil } from "lucide-react";
import { useRef, useState } from "react";
import type { AskOption, AskReply } from "../api/types.ts";
import { BoundedList } from "../ui/bounded-list.tsx";
import { Button } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { clip } from "../ui/format.ts";
import { useKept } from "../ui/use-kept.ts";
import { AnswerItem, AnswerMenu } from "./answer-menu.tsx";
import { AnswerRow } from "./answer-row.tsx";
import type { AnswersProps } from "./answers-props.ts";
import { groupOptions, shortLabel } from "./group-options.ts";
import { keptName } from "./kept-name.ts";
import { KeyHint } from "./key-hint.tsx";
import { ReasonField } from "./reason-field.tsx";
import { type AskKeys, useAskKeys } from "./use-ask-keys.ts";

/** The last letter of each is also what a screen reader is told. */
const KEYS = { allow: "y", always: "a", deny: "d", reason: "r", edit: "e" } as const;

type Menu = "always" | "deny" | "more";

interface PermissionAnswersProps extends AnswersProps {
  /** Opens the input for changes; absent where it cannot be changed. */
  onEdit?: () => void;
}

export function PermissionAnswers({
  session,
  ask,
  card,
  isOpen,
  reply,
  about,
  onEdit,
}: PermissionAnswersProps) {
  const [reason, setReason] = useKept<string | undefined>(
    `${keptName(session, ask.ask)} reason`,
    () => undefined,
  );
  const [menu, setMenu] = useState<Menu>();
  const alwaysButton = useRef<HTMLButtonElement>(null);
  const { allow, others, always, deny, denials } = groupOptions(ask.options);
  const isLocked = !isOpen || reply.sent !== undefined;
  const isWriting = reason !== undefined;

  function choose({ id: option }: AskOption) {
    const answer: AskReply = { option, message: reason?.trim() || undefined };
    reply.send(answer);
  }
  /** One that is there again, since it was begun elsewhere, does not take the focus. */
  const isBegunHere = useRef(false);
  function write() {
    isBegunHere.current = true;
    setReason(reason ?? "");
  }
  const keys: AskKeys = {
    [KEYS.allow]: allow && (() => choose(allow)),
    [KEYS.always]: always.length > 0 ? () => openByKey(alwaysButton.current) : undefined,
    [KEYS.deny]: deny && (() => choose(deny)),
    [KEYS.reason]: deny && write,
    [KEYS.edit]: onEdit,
  };
  const hasKeys = useAskKeys({ card, session, ask: ask.ask, isActive: !isLocked, keys });

  if (isWriting && deny) {
    return (
      <div data-answers="">
        <ReasonField
          label="What the agent should know"
          placeholder="Why not, or what to do instead"
          value={reason}
          takesFocus={isBegunHere.current}
          onChange={setReason}
          onSubmit={() => !isLocked && choose(deny)}
          onCancel={() => setReason(undefined)}
        />
        <AnswerRow>
          <Button
            look="dangerous"
            disabled={isLocked}
            data-option={deny.id}
            className="max-md:basis-full!"
            onClick={() => choose(deny)}
          >
            {reason.trim() === "" ? clip(shortLabel(deny, "Deny")) : "Deny with this reason"}
          </Button>
          <BoundedList items={denials} step={10} name="options">
            {(option) => (
              <Button
                key={option.id}
                look="danger"
                disabled={isLocked}
                data-option={option.id}
                className="max-w-full max-md:basis-full!"
                onClick={() => choose(option)}
              >
                <span className="truncate">{clip(option.label)}</span>
              </Button>
            )}
          </BoundedList>
          <Button
            look="ghost"
            disabled={isLocked}
            className="max-md:basis-full!"
            onClick={() => {
              card.current?.focus();
              setReason(undefined);
            }}
          >
            Cancel
          </Button>
        </AnswerRow>
      </div>
    );
  }
  const withReason = (
    <AnswerItem isDanger onSelect={write}>
      <span className="block font-medium">Deny with a reason…</span>
      <span className="block text-2xs text-muted-foreground">Say why, or what to do instead</span>
    </AnswerItem>
  );
  return (
    <AnswerRow data-answers="">
      {allow && (
        <Button
          look="primary"
          disabled={isLocked}
          data-option={allow.id}
          aria-keyshortcuts={KEYS.allow}
          title={titleOf(allow, shortLabel(allow, "Allow"))}
          className="max-md:basis-full!"
          onClick={() => choose(allow)}
        >
          {clip(shortLabel(allow, "Allow"))}
          <KeyHint works={hasKeys}>{KEYS.allow}</KeyHint>
        </Button>
      )}
      <BoundedList items={others} step={10} name="options">
        {(option) => (
          <Button
            key={option.id}
            disabled={isLocked}
            data-option={option.id}
            title={option.description && clip(option.description)}
            className="max-w-full max-md:basis-full!"
            onClick={() => choose(option)}
          >
            <span className="truncate">{clip(option.label)}</span>
          </Button>
        )}
      </BoundedList>
      {always.length > 0 && (
        <AnswerMenu
          isOpen={menu === "always"}
          onOpenChange={(isOpened) => setMenu(isOpened ? "always" : undefined)}
          options={always}
          about={about}
          onChoose={choose}
          trigger={
            <Button
              ref={alwaysButton}
              disabled={isLocked}
              aria-keyshortcuts={KEYS.always}
              className="max-md:order-1"
            >
              Always
              <ChevronDown className="-mr-1 text-muted-foreground" />
              <KeyHint works={hasKeys}>{KEYS.always}</KeyHint>
            </Button>
          }
        />
      )}
      {deny && (
        <div className="flex">
          <Button
            look="danger"
            disabled={isLocked}
            data-option={deny.id}
            aria-keyshortcuts={KEYS.deny}
            title={titleOf(deny, shortLabel(deny, "Deny"))}
            className="max-md:grow md:rounded-r-none md:border-r-0"
            onClick={() => choose(deny)}
          >
            {clip(shortLabel(deny, "Deny"))}
            <KeyHint works={hasKeys}>{KEYS.deny}</KeyHint>
          </Button>
          {denials.length === 0 ? (
            <Button
              look="danger"
              disabled={isLocked}
              aria-label="Deny with a reason"
              aria-keyshortcuts={KEYS.reason}
              title={`Deny with a reason (${KEYS.reason})`}
              className="rounded-l-none px-2 max-md:hidden touch:px-3"
              onClick={write}
            >
              <MessageSquareText />
            </Button>
          ) : (
            <AnswerMenu
              isOpen={menu === "deny"}
              onOpenChange={(isOpened) => setMenu(isOpened ? "deny" : undefined)}
              options={denials}
              about={about}
              isDanger
              onChoose={choose}
              trigger={
                <Button
                  look="danger"
                  disabled={isLocked}
                  aria-label="Other ways to deny"
                  className="rounded-l-none px-1.5 max-md:hidden touch:px-2.5"
                >
                  <ChevronDown />
                </Button>
              }
            >
              {withReason}
            </AnswerMenu>
          )}
        </div>
      )}
      {onEdit && (
        <Button
          look="ghost"
          disabled={isLocked}
          aria-keyshortcuts={KEYS.edit}
          title="Change it before it is allowed"
          className="max-md:hidden in-[[role=dialog]]:hidden"
          onClick={onEdit}
        >
          <Pencil /> Edit
          <KeyHint works={hasKeys}>{KEYS.edit}</KeyHint>
        </Button>
      )}
      {(deny || onEdit) && (
        <AnswerMenu
          isOpen={menu === "more"}
          onOpenChange={(isOpened) => setMenu(isOpened ? "more" : undefined)}
          options={denials}
          about={about}
          isDanger
          onChoose={choose}
          trigger={
            <Button
              disabled={isLocked}
              aria-label="More answers"
              className={classNames(
                "order-2 grow-0! basis-auto! px-3!",
                // In the list of all that waits there is no room for Edit beside the others.
                onEdit ? "md:not-in-[[role=dialog]]:hidden" : "md:hidden",
              )}
            >
              <Ellipsis />
            </Button>
          }
        >
          {onEdit && (
            <AnswerItem onSelect={onEdit}>
              <span className="block font-medium">Edit…</span>
              <span className="block text-2xs text-muted-foreground">Change it before it is allowed</span>
            </AnswerItem>
          )}
          {deny && withReason}
        </AnswerMenu>
      )}
    </AnswerRow>
  );
}

/** As with the button's own key: the first item has the focus, and Enter chooses it once its reach was seen. */
function openByKey(button: HTMLButtonElement | null): void {
  button?.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true, cancelable: true }));
}

/** The agent's own words, where the button has others. */
function titleOf({ label, description }: AskOption, shown: string): string | undefined {
  const said = [...(label === shown ? [] : [label]), ...(description ? [description] : [])].join(": ");
  return said === "" ? undefined : clip(said);
}
