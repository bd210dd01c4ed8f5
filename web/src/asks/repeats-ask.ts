/** Whether a value of a call only repeats what one of its asks shows. Pure. */
import type { AskData } from "../chat/page-message.ts";

/** A larger value is shown without a comparison. */
const MAX_FIELDS = 1000;

/** True where every text in `value` stands in a question or plan: its words, its options, its answers. */
export function repeatsAsk(value: unknown, asks: readonly AskData[]): boolean {
  const shown = new Set(asks.filter(({ kind }) => kind !== "permission").flatMap(textsOf));
  if (shown.size === 0) return false;
  const texts = textsIn(value);
  return texts.length > 0 && texts.every((text) => shown.has(text));
}

function textsOf({ title, description, questions = [], answer, state }: AskData): string[] {
  return [
    title,
    // Once it is answered, the card shows no more than the title and the answer.
    ...(state === "open" && !answer ? [description ?? ""] : []),
    ...questions.flatMap(({ text, header = "", description: more = "", options = [] }) => [
      text,
      header,
      more,
      ...options.flatMap(({ label, description: about = "", value }) => [label, about, value ?? label]),
    ]),
    ...Object.values(answer?.answers ?? {}).flat(),
    answer?.message ?? "",
  ];
}

/** The texts inside a value, but for the one that names its type. None of a value that is too large. */
function textsIn(value: unknown): string[] {
  const texts: string[] = [];
  const rest = [value];
  for (let seen = 0; rest.length > 0; seen++) {
    if (seen + rest.length > MAX_FIELDS) return [];
    const next = rest.pop();
    if (typeof next === "string") texts.push(next);
    if (typeof next !== "object" || next === null) continue;
    for (const [name, field] of Object.entries(next)) if (name !== "type") rest.push(field);
  }
  return texts;
}
