/** `permission_request` → an ask. Pure. */
import type { AskKind, AskOption } from "../../core/ask.ts";
import type { Draft } from "../../core/draft.ts";
import type { Origin } from "./known-calls.ts";
import { defined, type Metadata, numberIn, ownIn, textIn } from "./metadata.ts";

type AskOpened = Extract<Draft, { type: "ask.opened" }>;

/** What every permission offers by the guide. */
const ALLOW_OR_DENY: AskOption[] = [
  { id: "allow", label: "Allow", effect: "once" },
  { id: "deny", label: "Deny", effect: "reject" },
];

export function askOpened(ask: string, metadata: Metadata, origin: Origin): AskOpened {
  const kind = kindOf(metadata);
  const options = ownIn(metadata, "options");
  const questions = ownIn(metadata, "questions");
  const changes = ownIn(metadata, "changes");
  const tool = textIn(metadata, "tool_name", "toolName");
  return defined({
    type: "ask.opened",
    ask,
    kind,
    title:
      textIn(metadata, "title") ?? (tool === undefined ? "The agent asks for a permission." : `Use ${tool}?`),
    description: textIn(metadata, "description"),
    options: Array.isArray(options) ? (options as AskOption[]) : kind === "question" ? [] : ALLOW_OR_DENY,
    questions: Array.isArray(questions) ? (questions as AskOpened["questions"]) : undefined,
    editable: ownIn(metadata, "editable") === true || undefined,
    changes: Array.isArray(changes) ? (changes as AskOpened["changes"]) : undefined,
    detail: ownIn(metadata, "detail"),
    url: textIn(metadata, "url"),
    expiresAt: numberIn(metadata, "expires_at"),
    call: textIn(metadata, "tool_use_id"),
    ...origin,
  } as const);
}

function kindOf(metadata: Metadata): AskKind {
  const kind = textIn(metadata, "kind");
  return kind === "question" || kind === "plan" ? kind : "permission";
}
