/**
 * Checks a draft against the types of its event: a value of the wrong type never reaches the log. Pure, for live
 * sessions and replay. Nearly every draft is valid and stays as it is.
 */
import { z } from "zod";
import type { Draft, DraftType } from "./draft.ts";
import { eventSchema } from "./event.ts";
import { mendedValue } from "./mended-value.ts";
import { withoutEdits } from "./proposed-change.ts";

interface Field {
  name: string;
  isRequired: boolean;
  /** Any value but undefined. */
  isAny: boolean;
  schema: z.ZodType;
  accepts: (value: unknown) => boolean;
}

/** Set by the machine. An agent need not name its parts. */
const STAMPED = ["type", "session", "seq", "at", "turn", "message", "raw", "native", "generation"];

const text = z.string();
const error = z.object({ code: text, message: text });

/** Drafts that differ from their event in more than what the machine sets. */
const OTHER_SHAPES = {
  "agent.unknown": { native: text, text: text.optional() },
  "prompt.received": { message: text.optional(), native: text },
  "prompt.taken": { message: text.optional() },
  "prompt.returned": { message: text.optional(), reason: text },
  "ask.answered": {
    ask: text,
    option: text.optional(),
    answers: z.record(text, z.array(text)).optional(),
    message: text.optional(),
  },
  "step.started": {},
  "step.ended": { reason: text.optional() },
  "turn.started": { cause: text, text, task: text.optional() },
  "turn.ended": {
    outcome: z.enum(["completed", "interrupted", "failed", "refused", "limit"]),
    error: error.optional(),
    origin: z.literal("agent").optional(),
    native: text.optional(),
  },
} satisfies Partial<Record<DraftType, z.ZodRawShape>>;

const FIELDS: ReadonlyMap<string, readonly Field[]> = new Map([
  ...eventSchema.options.map(({ shape }) => [shape.type.value, fieldsOf(shape, STAMPED)] as const),
  ...Object.entries(OTHER_SHAPES).map(([type, shape]) => [type, fieldsOf(shape)] as const),
]);

/**
 * The draft with wrong values repaired, and without optional fields that cannot be. If a required field cannot be
 * repaired, a draft that says so.
 */
export function typedDraft(given: Draft): Draft {
  const mayHaveEdits =
    given.type === "ask.opened" || given.type === "ask.updated" || given.type === "file.edited";
  const draft = mayHaveEdits ? withoutEdits(given) : given;
  const fields = FIELDS.get(draft.type)!;
  for (const field of fields) if (!isRight(field, draft)) return mended(draft, fields);
  return draft;
}

function isRight({ name, isRequired, accepts }: Field, draft: Draft): boolean {
  const value = (draft as Record<string, unknown>)[name];
  return value === undefined ? !isRequired : accepts(value);
}

function mended(draft: Draft, fields: readonly Field[]): Draft {
  const copy: Record<string, unknown> = { ...draft };
  for (const field of fields) {
    if (isRight(field, draft)) continue;
    const value = mendedValue(field.schema, copy[field.name]);
    if (value !== undefined) copy[field.name] = value;
    else if (field.isAny) copy[field.name] = null;
    else if (field.isRequired) return unreadable(draft.type, field.name);
    else delete copy[field.name];
  }
  return copy as Draft;
}

function unreadable(type: string, field: string): Draft {
  return { type: "agent.unknown", native: type, text: `It has no "${field}" that can be read.` };
}

function fieldsOf(shape: z.ZodRawShape, given: readonly string[] = []): Field[] {
  return Object.entries(shape)
    .filter(([name]) => !given.includes(name))
    .map(([name, schema]) => {
      const isOptional = schema instanceof z.ZodOptional;
      const inner = (isOptional ? schema.unwrap() : schema) as z.ZodType;
      const isAny = inner instanceof z.ZodUnknown;
      return {
        name,
        isRequired: !isOptional && name !== "part",
        isAny,
        schema: inner,
        accepts: isAny ? () => true : accepterOf(inner),
      };
    });
}

/** Strings and booleans, which nearly all fields are, by `typeof`. */
function accepterOf(schema: z.ZodType): (value: unknown) => boolean {
  if (schema instanceof z.ZodString) return (value) => typeof value === "string";
  if (schema instanceof z.ZodBoolean) return (value) => typeof value === "boolean";
  return (value) => schema.safeParse(value).success;
}
