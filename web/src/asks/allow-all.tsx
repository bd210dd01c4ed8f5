/** Allows everything that one session asks for, after it was all read once more. */
import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { useMyAsks } from "../access/use-my-asks.ts";
import { daemon } from "../api/client.ts";
import type { Ask, AskOption } from "../api/types.ts";
import { PlainText } from "../parts/plain-text.tsx";
import { Button } from "../ui/button.tsx";
import { clip } from "../ui/format.ts";
import { useToasts } from "../ui/toasts.tsx";
import { AnswerItem, AnswerMenu } from "./answer-menu.tsx";
import { groupOptions } from "./group-options.ts";

/** Beyond these they are answered one by one. */
const MAX_AT_ONCE = 20;

interface AllowAllProps {
  session: string;
  ask: string;
  isLocked: boolean;
}

/** Stands above the first card of those that wait. */
export function AllowAll({ session, ask, isLocked }: AllowAllProps) {
  const open = useMyAsks().flatMap((other) => {
    const allow = other.session === session && allowOf(other);
    return allow ? [{ ask: other, allow }] : [];
  });
  if (open.length < 2 || open.length > MAX_AT_ONCE || open[0]?.ask.ask !== ask) return null;
  return (
    <div className="mb-1.5 flex items-center justify-between gap-2 pl-0.5 text-muted-foreground text-xs">
      {open.length} permissions wait
      <AllowAllMenu session={session} open={open} isLocked={isLocked} />
    </div>
  );
}

interface AllowAllMenuProps extends Omit<AllowAllProps, "ask"> {
  open: readonly { ask: Ask; allow: AskOption }[];
}

function AllowAllMenu({ session, open, isLocked }: AllowAllMenuProps) {
  // Those that were there to be read when it was opened; one that comes meanwhile is asked for itself.
  const [listed, setListed] = useState<AllowAllMenuProps["open"]>();
  const toasts = useToasts();

  function allowAll() {
    for (const { ask: other, allow } of listed ?? []) {
      daemon()
        .call("POST /v1/sessions/{id}/asks/{ask}/reply", {
          params: { id: session, ask: other.ask },
          body: { option: allow.id },
        })
        .catch(toasts.fail);
    }
  }

  return (
    <AnswerMenu
      isOpen={listed !== undefined}
      onOpenChange={(isOpened) => setListed(isOpened ? open : undefined)}
      options={[]}
      about={{}}
      onChoose={() => {}}
      trigger={
        <Button size="small" disabled={isLocked}>
          Allow all {open.length}
          <ChevronDown className="-mr-1" />
        </Button>
      }
    >
      <ul className="space-y-0.5 px-2 py-1.5 text-muted-foreground text-xs">
        {listed?.map(({ ask: { ask: id, title } }) => (
          <li key={id} className="[overflow-wrap:anywhere]">
            <PlainText text={clip(title)} />
          </li>
        ))}
      </ul>
      <AnswerItem onSelect={allowAll}>
        <span className="block font-medium">
          Allow {listed?.length === 2 ? "both" : `all ${listed?.length}`}
        </span>
      </AnswerItem>
    </AnswerMenu>
  );
}

function allowOf({ kind, state, options }: Ask): AskOption | undefined {
  return kind === "permission" && state === "open" ? groupOptions(options).allow : undefined;
}
