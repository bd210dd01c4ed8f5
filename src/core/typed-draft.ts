/**
 * Holds a draft to the types of its event: what an agent sends with another type than its protocol has does not reach the
 * log. Pure, for the live session and for replay. Nearly every draft is right and stays as it is.
 */
import { z } from "zod";
import type { Draft, DraftType } from "./draft.ts";
import { eventSchema } from "./event.ts";
import { mendedValue } from "./mended-value.ts";

interface Field {
  name: string;
  isRequired: boolean;
  /** Takes any value, but has one. */
  isAny: boolean;
  schema: z.ZodType;
  accepts: (value: unknown) => boolean;
}

/** Given by the machine. A translator that names a part leaves it to the agent whether there is a name. */
const STAMPED = ["type", "session", "seq", "at", "turn", "message", "raw", "native", "generation"];

const text = z.string();
const error = z.object({ code: text, message: text });

/** Drafts that are not their event without what the machine gives. */
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
  },
} satisfies Partial<Record<DraftType, z.ZodRawShape>>;

const FIELDS: ReadonlyMap<string, readonly Field[]> = new Map([
  ...eventSchema.options.map(({ shape }) => [shape.type.value, fieldsOf(shape, STAMPED)] as const),
  ...Object.entries(OTHER_SHAPES).map(([type, shape]) => [type, fieldsOf(shape)] as const),
]);

/**
 * The draft with what can be kept of values of another type, and without the optional fields of which nothing can; where it
 * cannot be without such a field, a draft that says so.
 */
export function typedDraft(draft: Draft): Draft {
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

/** Texts and truth values, which nearly all fields are, by a look at their type. */
function accepterOf(schema: z.ZodType): (value: unknown) => boolean {
  if (schema instanceof z.ZodString) return (value) => typeof value === "string";
  if (schema instanceof z.ZodBoolean) return (value) => typeof value === "boolean";
  return (value) => schema.safeParse(value).success;
}
