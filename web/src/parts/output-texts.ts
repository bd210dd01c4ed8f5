/** What a tool gave, as a person reads it: its texts and lists without the JSON around them. Pure. */

export interface OutputText {
  label: string;
  text: string;
  /** Fields beside the text, such as that it was cut. */
  note?: string;
}

/** Fields that hold a text, and what they are called on the page. */
const TEXTS: Readonly<Record<string, string>> = {
  stdout: "Output",
  stderr: "Error output",
  output: "Output",
  content: "Output",
  text: "Output",
  preview: "Output",
  items: "Output",
  results: "Output",
};

/** Fields that repeat the input, stand elsewhere on the card, or say nothing to a person. */
const KNOWN: ReadonlySet<string> = new Set([
  "type",
  "command",
  "cmd",
  "cwd",
  "path",
  "file_path",
  "query",
  "url",
  "exit_code",
  "exitCode",
  "duration_ms",
  "os",
]);

const MAX_NOTE_LENGTH = 240;

/** Undefined where the value is more than texts, and has to be shown as it is. Empty where the tool said nothing. */
export function outputTexts(value: unknown): OutputText[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) {
    const text = listText(value);
    return text === undefined ? undefined : [{ label: "Output", text }];
  }
  const found: OutputText[] = [];
  const notes: string[] = [];
  let isText = false;
  for (const [name, field] of Object.entries(value)) {
    const text = Object.hasOwn(TEXTS, name) ? fieldText(field) : undefined;
    if (text !== undefined) {
      isText = true;
      if (text !== "") found.push({ label: TEXTS[name]!, text });
    } else if (isScalar(field)) {
      if (field && !KNOWN.has(name)) notes.push(field === true ? spaced(name) : `${spaced(name)}: ${field}`);
    } else return undefined;
  }
  const note = notes.join(" · ");
  if (!isText || note.length > MAX_NOTE_LENGTH || /\n/.test(note)) return undefined;
  if (note === "") return found;
  // A note needs a text to stand beside.
  const [first = { label: "Output", text: "" }, ...rest] = found;
  return [{ ...first, note }, ...rest];
}

function fieldText(field: unknown): string | undefined {
  if (typeof field === "string") return field;
  return Array.isArray(field) ? listText(field) : undefined;
}

/** Lines, texts in parts, or things that were found: one line each. */
function listText(list: readonly unknown[]): string | undefined {
  if (list.every((item) => typeof item === "string")) return list.join("\n");
  const lines = list.map((item) => (typeof item === "object" && item !== null ? itemText(item) : undefined));
  return lines.every((line) => line !== undefined) ? lines.join("\n") : undefined;
}

function itemText(item: object): string | undefined {
  const fields = Object.entries(item);
  if (!fields.every(([, field]) => isScalar(field))) return undefined;
  const { type, text, path, file, url } = item as Record<string, unknown>;
  if (type === "text" && typeof text === "string") return text;
  const isPlace = [path, file, url].some((place) => typeof place === "string");
  if (!isPlace) return undefined;
  return fields.flatMap(([, field]) => (field === null || field === "" ? [] : String(field))).join("  ");
}

function isScalar(field: unknown): boolean {
  return field === null || field === undefined || ["string", "number", "boolean"].includes(typeof field);
}

function spaced(name: string): string {
  return name.replaceAll("_", " ");
}
