/** What the drops of several dialects are made of. */
import type { PartOf, PartType, Transcript, TranscriptMessage, TranscriptPart } from "./transcript.ts";

export function mapMessages(
  change: (message: TranscriptMessage, place: number) => TranscriptMessage,
): (transcript: Transcript) => Transcript {
  return (transcript) => transcript.map(change);
}

/** Only the content of assistant messages. */
export function mapContent(
  change: (content: readonly TranscriptPart[], message: TranscriptMessage) => readonly TranscriptPart[],
): (transcript: Transcript) => Transcript {
  return mapMessages((message) =>
    message.role === "assistant" ? { ...message, content: change(message.content, message) } : message,
  );
}

export function mapParts<Type extends PartType>(
  type: Type,
  change: (part: PartOf<Type>, message: TranscriptMessage) => TranscriptPart,
): (transcript: Transcript) => Transcript {
  return mapContent((content, message) =>
    content.map((part) => (part.type === type ? change(part as PartOf<Type>, message) : part)),
  );
}

export function withoutParts(...types: readonly PartType[]): (transcript: Transcript) => Transcript {
  return mapContent((content) => content.filter(({ type }) => !types.includes(type)));
}

export function withoutFields<Type extends PartType>(
  type: Type,
  ...fields: readonly string[]
): (transcript: Transcript) => Transcript {
  return mapParts(type, (part) => omit(part, fields) as TranscriptPart);
}

/** Of messages. */
export function withoutMessageFields(
  ...fields: readonly (keyof TranscriptMessage)[]
): (transcript: Transcript) => Transcript {
  return mapMessages((message) => omit(message, fields));
}

/** Each text is in one piece, where it began. */
export const joinTexts = mapContent((content) => {
  const joined = new Map<string, number>();
  const result: TranscriptPart[] = [];
  for (const part of content) {
    const known = isSaid(part) && part.part !== undefined ? joined.get(part.part) : undefined;
    if (known !== undefined) {
      const first = result[known] as PartOf<"text">;
      result[known] = { ...first, text: first.text + (part as PartOf<"text">).text };
      continue;
    }
    if (isSaid(part) && part.part !== undefined) joined.set(part.part, result.length);
    result.push(part);
  }
  return result;
});

/** Pieces of one text between which nothing is left are one. */
export const joinNeighbours = mapContent((content) => {
  const result: TranscriptPart[] = [];
  for (const part of content) {
    const last = result.at(-1);
    if (last && isSaid(part) && isSaid(last) && part.part !== undefined && last.part === part.part)
      result[result.length - 1] = { ...last, text: last.text + part.text };
    else result.push(part);
  }
  return result;
});

export function isSaid(part: TranscriptPart): part is PartOf<"text" | "reasoning"> {
  return part.type === "text" || part.type === "reasoning";
}

/** A result as it is in the end. */
export const amend = mapParts("call", ({ amended, ...part }) =>
  amended ? { ...part, result: amended } : part,
);

export function omit<Value extends object>(value: Value, fields: readonly PropertyKey[]): Value {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !fields.includes(name))) as Value;
}
