/** `permission_request` → an ask. Pure. */
import {
  type AskKind,
  type AskOption,
  askOptionSchema,
  askQuestionSchema,
  EFFECT_OF_KIND,
} from "../../core/ask.ts";
import type { Draft } from "../../core/draft.ts";
import { isRecord } from "../../core/is-record.ts";
import { mendedValue } from "../../core/mended-value.ts";
import { withoutUndefined } from "../../core/without-undefined.ts";
import type { Origin } from "./known-calls.ts";
import { type Metadata, numberIn, ownIn, textIn } from "./metadata.ts";

type AskOpened = Extract<Draft, { type: "ask.opened" }>;

/** What every permission offers by the guide. */
const ALLOW_OR_DENY: AskOption[] = [
  { id: "allow", label: "Allow", effect: "once" },
  { id: "deny", label: "Deny", effect: "reject" },
];

export function askOpened(ask: string, metadata: Metadata, origin: Origin): AskOpened {
  const kind = kindOf(metadata);
  const questions = ownIn(metadata, "questions");
  const changes = ownIn(metadata, "changes");
  const tool = textIn(metadata, "tool_name", "toolName");
  return withoutUndefined({
    type: "ask.opened",
    ask,
    kind,
    title:
      textIn(metadata, "title") ?? (tool === undefined ? "The agent asks for a permission." : `Use ${tool}?`),
    description: textIn(metadata, "description"),
    options: optionsIn(metadata) ?? (kind === "question" ? [] : ALLOW_OR_DENY),
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

/** A question that has nothing to answer would wait for ever: it is a permission. */
function kindOf(metadata: Metadata): AskKind {
  const kind = textIn(metadata, "kind");
  if (kind === "plan") return kind;
  return kind === "question" && (hasQuestion(metadata) || optionsIn(metadata)) ? kind : "permission";
}

function hasQuestion(metadata: Metadata): boolean {
  return mendedValue(askQuestionSchema.array().min(1), ownIn(metadata, "questions")) !== undefined;
}

/** Undefined where one of them cannot be read: without it the others might leave no way to refuse. */
function optionsIn(metadata: Metadata): AskOption[] | undefined {
  const given = ownIn(metadata, "options");
  if (!Array.isArray(given)) return undefined;
  const options = given.map(readOption);
  return options.length > 0 && options.every((option) => option !== undefined) ? options : undefined;
}

/** The ids of options that a request names as ACP does: its answer has to name one the same way. */
export function acpOptionIds(metadata: Metadata): string[] {
  const given = ownIn(metadata, "options");
  if (!Array.isArray(given)) return [];
  return given.flatMap((option) => (isRecord(option) ? (textIn(option, "optionId") ?? []) : []));
}

/** Ours, or one of ACP: `optionId`, `name` and `kind`. A kind that nobody knows might refuse or allow. */
function readOption(option: unknown): AskOption | undefined {
  const ours = mendedValue(askOptionSchema, option);
  if (ours !== undefined) return ours as AskOption;
  if (!isRecord(option)) return undefined;
  const id = textIn(option, "optionId");
  const effect = EFFECT_OF_KIND.get(ownIn(option, "kind"));
  if (id === undefined || effect === undefined) return undefined;
  return { id, label: textIn(option, "name") ?? id, effect };
}
