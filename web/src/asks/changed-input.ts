/** The input of a call as fields a person can change, and back. Pure. */
import { commandOf } from "../parts/tool-summary.ts";

export interface InputField {
  /** Undefined: the whole input, as JSON. */
  name?: string;
  text: string;
}

const MAX_FIELDS = 8;

/** The command alone, or the texts and numbers of a small flat input, or all of it as JSON. */
export function inputFields(input: unknown): InputField[] {
  if (isRecord(input)) {
    const command = ["command", "cmd"].find((name) => typeof input[name] === "string");
    if (command !== undefined && commandOf(input) === input[command]) {
      return [{ name: command, text: input[command] as string }];
    }
    const fields = Object.entries(input);
    const isFlat = fields.every(([, value]) => ["string", "number", "boolean"].includes(typeof value));
    if (isFlat && fields.length > 0 && fields.length <= MAX_FIELDS) {
      return fields.map(([name, value]) => ({ name, text: String(value) }));
    }
  }
  return [{ text: JSON.stringify(input, null, 2) ?? "" }];
}

export type ChangedInput = { input: unknown } | { problem: string };

/** Fields that are not shown stay as they were. */
export function changedInput(input: unknown, fields: readonly InputField[]): ChangedInput {
  const [first] = fields;
  if (first && first.name === undefined) {
    try {
      return { input: JSON.parse(first.text) };
    } catch {
      return { problem: "This is not valid JSON." };
    }
  }
  if (!isRecord(input)) return { input };
  const changed = new Map(Object.entries(input));
  for (const { name, text } of fields) {
    if (name === undefined) continue;
    const before = changed.get(name);
    const after = typeof before === "string" ? text : parsed(text);
    if (typeof after !== typeof before) {
      return { problem: `“${name}” has to be ${typeof before === "number" ? "a number" : "true or false"}.` };
    }
    changed.set(name, after);
  }
  return { input: Object.fromEntries(changed) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
