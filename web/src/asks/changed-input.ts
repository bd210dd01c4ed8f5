/** The input of a call as fields a person can change, and back. Pure. */
import { isRecord } from "../is-record.ts";
import { commandOf } from "../parts/tool-summary.ts";

type Input = Readonly<Record<string, unknown>>;

export interface InputField {
  /** Undefined: the whole input, as JSON. */
  name?: string;
  text: string;
}

const MAX_FIELDS = 8;

/** The command alone, or the texts and numbers of a small flat input, or all of it as JSON. */
export function inputFields(input: Input): InputField[] {
  const command = ["command", "cmd"].find((name) => typeof input[name] === "string");
  if (command !== undefined && commandOf(input) === input[command]) {
    return [{ name: command, text: input[command] as string }];
  }
  const fields = Object.entries(input);
  const isFlat = fields.every(([, value]) => ["string", "number", "boolean"].includes(typeof value));
  if (isFlat && fields.length > 0 && fields.length <= MAX_FIELDS) {
    return fields.map(([name, value]) => ({ name, text: String(value) }));
  }
  return [{ text: JSON.stringify(input, null, 2) }];
}

export type ChangedInput = { input: Record<string, unknown> } | { problem: string };

/** Fields that are not shown stay as they were. */
export function changedInput(input: Input, fields: readonly InputField[]): ChangedInput {
  const [first] = fields;
  if (first && first.name === undefined) return readJson(first.text);
  const changed = new Map(Object.entries(input));
  for (const { name, text } of fields) {
    if (name === undefined) continue;
    const before = changed.get(name);
    if ((name === "command" || name === "cmd") && text.trim() === "")
      return { problem: "There is no command. Write one, or cancel and deny it." };
    const after = typeof before === "string" ? text : parsed(text);
    if (typeof after !== typeof before) {
      return { problem: `“${name}” has to be ${typeof before === "number" ? "a number" : "true or false"}.` };
    }
    changed.set(name, after);
  }
  return { input: Object.fromEntries(changed) };
}

function readJson(text: string): ChangedInput {
  const value = parsed(text);
  if (value === undefined) return { problem: `This is not valid JSON${placeOfMistake(text)}.` };
  if (!isInput(value)) return { problem: "This has to be an object: { and } around all of it." };
  return { input: { ...value } };
}

/** Where browsers say it: Chrome by a place in the text, Firefox by line and column. */
function placeOfMistake(text: string): string {
  try {
    JSON.parse(text);
    return "";
  } catch (error) {
    const said = (error as Error).message;
    const line = /line (\d+)/.exec(said)?.[1];
    if (line !== undefined) return `: look at line ${line}`;
    const place = /position (\d+)/.exec(said)?.[1];
    if (place !== undefined) return `: look at line ${text.slice(0, Number(place)).split("\n").length}`;
    return /end of (?:JSON|data|input)|unexpected eof/i.test(said) ? ": something is missing at its end" : "";
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether it can be changed at all: the daemon takes nothing else. */
export function isInput(value: unknown): value is Input {
  return isRecord(value);
}
