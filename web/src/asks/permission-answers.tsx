/** The answers to a permission: allow, always (what it covers), deny (with a reason), change it first. */
import { ChevronDown, Ellipsis, MessageSquareText, Pencil } from "lucide-react";
import { useRef, useState } from "react";
import type { AskOption } from "../api/types.ts";
import { classNames } from "../ui/class-names.ts";
import { clip } from "../ui/format.ts";
import { AnswerButton, AnswerRow, OptionButtons } from "./answer-buttons.tsx";
import { AnswerItem, AnswerMenu } from "./answer-menu.tsx";
import type { AnswersProps } from "./answers-props.ts";
import { groupOptions, shortLabel } from "./group-options.ts";
import { ReasonField, useReason } from "./reason-field.tsx";
import { type AskKeys, useAskKeys } from "./use-ask-keys.ts";

/** The last letter of each is also what a screen reader is told. */
const KEYS = { allow: "y", always: "a", deny: "d", reason: "r", edit: "e" } as const;

type Menu = "always" | "deny" | "more";

interface PermissionAnswersProps extends AnswersProps {
  /** Opens the input for changes; absent where it cannot be changed. */
  onEdit?: () => void;
}

export function PermissionAnswers({ onEdit, ...props }: PermissionAnswersProps) {
  const { session, ask, card, isOpen, reply, about } = props;
  const reason = useReason(props);
  const [menu, setMenu] = useState<Menu>();
  const alwaysButton = useRef<HTMLButtonElement>(null);
  const { allow, others, always, deny, denials } = groupOptions(ask.options);
  const isLocked = !isOpen || reply.sent !== undefined;

  function choose({ id: option }: AskOption) {
    reply.send({ option, message: reason.text?.trim() || undefined });
  }
  const keys: AskKeys = {
    [KEYS.allow]: allow && (() => choose(allow)),
    [KEYS.always]: always.length > 0 ? () => openByKey(alwaysButton.current) : undefined,
    [KEYS.deny]: deny && (() => choose(deny)),
    [KEYS.reason]: deny && reason.begin,
    [KEYS.edit]: onEdit,
  };
  const hasKeys = useAskKeys({ card, session, ask: ask.ask, isActive: !isLocked, keys });

  if (reason.text !== undefined && deny) {
    return (
      <div data-answers="">
        <ReasonField
          label="What the agent should know"
          placeholder="Why not, or what to do instead"
          reason={reason}
          onSubmit={() => !isLocked && choose(deny)}
        />
        <AnswerRow isLocked={isLocked} hasKeys={hasKeys}>
          <AnswerButton look="dangerous" option={deny} isWide onClick={() => choose(deny)}>
            {reason.text.trim() === "" ? clip(shortLabel(deny, "Deny")) : "Deny with this reason"}
          </AnswerButton>
          <OptionButtons options={denials} propsOf={() => ({ look: "danger" })} onChoose={choose} />
          <AnswerButton
            look="ghost"
            isWide
            onClick={() => {
              card.current?.focus();
              reason.setText(undefined);
            }}
          >
            Cancel
          </AnswerButton>
        </AnswerRow>
      </div>
    );
  }
  const withReason = (
    <AnswerItem isDanger onSelect={reason.begin}>
      <span className="block font-medium">Deny with a reason…</span>
      <span className="block text-2xs text-muted-foreground">Say why, or what to do instead</span>
    </AnswerItem>
  );
  const menuProps = (name: Menu) => ({
    ...{ about, onChoose: choose, isDanger: name !== "always" },
    isOpen: menu === name,
    onOpenChange: (isOpened: boolean) => setMenu(isOpened ? name : undefined),
  });
  return (
    <AnswerRow data-answers="" isLocked={isLocked} hasKeys={hasKeys}>
      {allow && (
        <AnswerButton
          look="primary"
          option={allow}
          hotkey={KEYS.allow}
          isWide
          title={titleOf(allow, shortLabel(allow, "Allow"))}
          onClick={() => choose(allow)}
        >
          {clip(shortLabel(allow, "Allow"))}
        </AnswerButton>
      )}
      <OptionButtons
        options={others}
        propsOf={({ description }) => ({ title: description && clip(description) })}
        onChoose={choose}
      />
      {always.length > 0 && (
        <AnswerMenu
          {...menuProps("always")}
          options={always}
          trigger={
            <AnswerButton ref={alwaysButton} hotkey={KEYS.always} className="max-md:order-1">
              Always
              <ChevronDown className="-mr-1 text-muted-foreground" />
            </AnswerButton>
          }
        />
      )}
      {deny && (
        <div className="flex">
          <AnswerButton
            look="danger"
            option={deny}
            hotkey={KEYS.deny}
            title={titleOf(deny, shortLabel(deny, "Deny"))}
            className="max-md:grow md:rounded-r-none md:border-r-0"
            onClick={() => choose(deny)}
          >
            {clip(shortLabel(deny, "Deny"))}
          </AnswerButton>
          {denials.length === 0 ? (
            <AnswerButton
              look="danger"
              aria-label="Deny with a reason"
              aria-keyshortcuts={KEYS.reason}
              title={`Deny with a reason (${KEYS.reason})`}
              className="rounded-l-none px-2 max-md:hidden touch:px-3"
              onClick={reason.begin}
            >
              <MessageSquareText />
            </AnswerButton>
          ) : (
            <AnswerMenu
              {...menuProps("deny")}
              options={denials}
              trigger={
                <AnswerButton
                  look="danger"
                  aria-label="Other ways to deny"
                  className="rounded-l-none px-1.5 max-md:hidden touch:px-2.5"
                >
                  <ChevronDown />
                </AnswerButton>
              }
            >
              {withReason}
            </AnswerMenu>
          )}
        </div>
      )}
      {onEdit && (
        <AnswerButton
          look="ghost"
          hotkey={KEYS.edit}
          title="Change it before it is allowed"
          className="max-md:hidden in-[[role=dialog]]:hidden"
          onClick={onEdit}
        >
          <Pencil /> Edit
        </AnswerButton>
      )}
      {(deny || onEdit) && (
        <AnswerMenu
          {...menuProps("more")}
          options={denials}
          trigger={
            <AnswerButton
              aria-label="More answers"
              className={classNames(
                "order-2 grow-0! basis-auto! px-3!",
                // In the list of all that waits there is no room for Edit beside the others.
                onEdit ? "md:not-in-[[role=dialog]]:hidden" : "md:hidden",
              )}
            >
              <Ellipsis />
            </AnswerButton>
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
