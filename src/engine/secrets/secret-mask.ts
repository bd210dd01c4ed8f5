/**
 * Replaces secret values by a marked placeholder before anything is stored, and puts them back where the agent needs
 * them. How they are found is in `secrets/`.
 */
import type { Draft } from "../../core/draft.ts";
import type { RawDraft } from "../../core/raw-record.ts";
import { splitText } from "../../core/split-text.ts";
import { finish, finishInSlices, type Steps } from "../../core/steps.ts";
import type { TimeSlices } from "../../core/time-slices.ts";
import { type DeltaDraft, HeldDeltas } from "./held-deltas.ts";
import { atOnce, isJsonWithStrings, mapJsonStrings, mapJsonStringsInSteps } from "./json-text.ts";
import { mapStrings } from "./map-strings.ts";
import { DiffMask } from "./mask-diff.ts";
import { placeholderOf, placeholdersIn, revealIn } from "./placeholder.ts";
import { PreparedTexts } from "./prepared-texts.ts";
import { type Secret, TextMask } from "./text-mask.ts";

/** Shorter values are words rather than secrets: masking "1" or "true" would garble everything else. */
export const SHORTEST_SECRET = 6;

/** More text than this may take so long that others would have to wait. */
const LONG_TEXT = 64 * 1024;

/** Fields that are part of the language, not of what an agent says; masking them would break the log or the agent. */
const LANGUAGE_FIELDS = new Set([
  ...["type", "id", "part", "parts", "call", "calls", "ask", "task", "parent", "native", "agentSessionId"],
  ...["kind", "level", "code", "outcome", "state", "status", "effect", "purpose", "priority", "cause"],
  ...["model", "mode", "permissionMode"],
]);

/** Fields that hold whatever an agent likes, keys included. */
const FREE_FIELDS = new Set(["input", "output", "progress", "metadata", "detail", "data"]);

type NamedValues = Iterable<readonly [name: string, value: string]>;
type ShortAnswer = readonly [name: string, value: string];

export class SecretMask {
  readonly #secrets: Secret[] = [];
  /** The current value of each placeholder. An earlier value of the same name is only masked. */
  readonly #values = new Map<string, string>();
  #held = new HeldDeltas();
  /** Secret answers too short to be masked everywhere, until the line that carries them to the agent. */
  #shortAnswers: readonly ShortAnswer[] = [];
  /** Created when needed: a session may have many values and never an agent. */
  #made: TextMask | undefined;
  #madeForDiffs: DiffMask | undefined;
  readonly #prepared = new PreparedTexts();
  readonly #preparedDiffs = new PreparedTexts();

  /** `known` values are not secret, although an older log may have placeholders for them. */
  constructor(secrets: NamedValues, known: NamedValues = []) {
    for (const [name, value] of known) this.#values.set(placeholderOf(name), value);
    this.add(secrets);
  }

  /** Masks these too from now on. */
  add(secrets: NamedValues): void {
    for (const [name, value] of secrets) {
      if (value.length < SHORTEST_SECRET) continue;
      const placeholder = placeholderOf(name);
      this.#secrets.push({ value, placeholder });
      this.#values.set(placeholder, value);
    }
    this.#made = undefined;
    this.#madeForDiffs = undefined;
    this.#prepared.clear();
    this.#preparedDiffs.clear();
    this.#held.renew(() => this.#mask.stream());
  }

  /** Masks secret answers. A short one is masked only in the line that carries it to the agent. */
  addAnswers(answers: readonly (readonly [name: string, value: string])[]): void {
    this.add(answers);
    const short = answers.filter(([, value]) => value !== "" && value.length < SHORTEST_SECRET);
    this.#shortAnswers = [...this.#shortAnswers, ...short];
  }

  get isEmpty(): boolean {
    return this.#secrets.length === 0;
  }

  /** Masks plain or JSON text. */
  text(text: string): string {
    if (this.isEmpty) return text;
    return this.#prepared.get(text) ?? this.#mask.mask(text);
  }

  /** Masks a unified diff, in which the lines of a secret have marks before them. */
  diff(diff: string): string {
    if (this.isEmpty) return diff;
    return this.#preparedDiffs.get(diff) ?? this.text(this.#diffMask.mask(diff));
  }

  *#diffInSteps(diff: string): Steps<string> {
    return yield* this.#mask.maskInSteps(yield* this.#diffMask.maskInSteps(diff));
  }

  /** Masks every string inside a value, keys included. */
  value<Some>(value: Some): Some {
    return this.isEmpty ? value : mapStrings(value, (text) => this.text(text));
  }

  /** Masks a raw record. */
  record(raw: RawDraft): RawDraft {
    const data = this.value(raw.data);
    if (!this.#canCarryAnswer(raw)) return data === raw.data ? raw : ({ ...raw, data } as RawDraft);
    const { masked, found } = finish(this.#withoutShortAnswers(data as string));
    this.#forgetShortAnswers(found);
    return { ...raw, data: masked } as RawDraft;
  }

  /** Whether it may carry a secret answer that is too short to be masked everywhere. */
  #canCarryAnswer({ direction }: RawDraft): boolean {
    return direction === "out" && this.#shortAnswers.length > 0;
  }

  /** As strings of their own in the JSON of the line. */
  *#withoutShortAnswers(line: string): Steps<{ masked: string; found: ReadonlySet<ShortAnswer> }> {
    const found = new Set<ShortAnswer>();
    if (!isJsonWithStrings(line)) return { masked: line, found };
    const masked = yield* mapJsonStringsInSteps(line, (text) => {
      const answer = this.#shortAnswers.find(([, value]) => value === text);
      if (answer) found.add(answer);
      return atOnce(answer ? placeholderOf(answer[0]) : text);
    });
    return { masked, found };
  }

  #forgetShortAnswers(found: ReadonlySet<ShortAnswer>): void {
    this.#shortAnswers = this.#shortAnswers.filter((answer) => !found.has(answer));
  }

  /** Puts the values back in place of their placeholders, in JSON as JSON has them. */
  reveal<Some>(value: Some): Some {
    if (this.#values.size === 0) return value;
    return mapStrings(value, (text) => this.#revealText(text));
  }

  #revealText(text: string): string {
    if (placeholdersIn(text).length === 0) return text;
    if (isJsonWithStrings(text)) return mapJsonStrings(text, (string) => this.#revealText(string));
    return revealIn(text, this.#values);
  }

  /** The placeholders in a value whose secrets are unknown. */
  unknownIn(value: unknown): string[] {
    const unknown = new Set<string>();
    mapStrings(value, (text) => {
      for (const placeholder of placeholdersIn(text))
        if (!this.#values.has(placeholder)) unknown.add(placeholder);
      return text;
    });
    return [...unknown];
  }

  /** Masks what an agent says and leaves the words of the language as they are. Deltas may be held back. */
  draft(draft: Draft): Iterable<Draft> {
    return this.isEmpty ? [draft] : this.#masked(draft);
  }

  /** Whether masking this, and what was made of it, takes so long that it should be done in slices. */
  isLong(raw: RawDraft): boolean {
    if (typeof raw.data !== "string" || raw.data.length <= LONG_TEXT) return false;
    return !this.isEmpty || this.#canCarryAnswer(raw);
  }

  /**
   * Masks the texts of a long value ahead, in slices. Whoever then masks the value finds them ready, until this is
   * disposed of. Undefined for a value that is not long, so that nobody waits.
   */
  prepare(value: unknown, slices: TimeSlices): Promise<Disposable> | undefined {
    return this.#prepareAll(value, slices, this.#prepared, (text) => this.#mask.maskInSteps(text));
  }

  /** The same for unified diffs. */
  prepareDiffs(diffs: readonly string[], slices: TimeSlices): Promise<Disposable> | undefined {
    return this.#prepareAll(diffs, slices, this.#preparedDiffs, (diff) => this.#diffInSteps(diff));
  }

  #prepareAll(
    value: unknown,
    slices: TimeSlices,
    prepared: PreparedTexts,
    mask: (text: string) => Steps<string>,
  ): Promise<Disposable> | undefined {
    const texts = this.isEmpty ? undefined : textsOfLong(value);
    return texts && this.#prepareTexts(texts, slices, prepared, mask);
  }

  async #prepareTexts(
    texts: ReadonlySet<string>,
    slices: TimeSlices,
    prepared: PreparedTexts,
    mask: (text: string) => Steps<string>,
  ): Promise<Disposable> {
    const known = this.#secrets.length;
    const own: string[] = [];
    for (const text of texts) {
      const masked = await finishInSlices(mask(text), slices);
      // With more secrets known by now, what was masked without them is worth nothing.
      if (this.#secrets.length > known) continue;
      prepared.add(text, masked);
      own.push(text);
    }
    return {
      [Symbol.dispose]: () => {
        for (const text of own) prepared.release(text);
      },
    };
  }

  /** A long record and what was made of it, masked in slices. */
  async inSlices(
    raw: RawDraft,
    drafts: readonly Draft[],
    slices: TimeSlices,
  ): Promise<{ raw: RawDraft; drafts: readonly Draft[] }> {
    while (true) {
      const known = this.#secrets.length;
      /** More secrets have come to be known. */
      const isOutdated = () => this.#secrets.length > known;
      const held = this.#held.copy();
      const masked: Draft[] = [];
      for (const draft of drafts) {
        for (const short of shortDeltas(draft)) {
          using _prepared = await this.prepare(short, slices);
          masked.push(...(this.isEmpty ? [short] : this.#masked(short, held)));
          await slices.pause();
        }
      }
      using _prepared = await this.prepare(raw.data, slices);
      if (isOutdated()) continue;
      const data = this.value(raw.data);
      const answers = this.#canCarryAnswer(raw)
        ? await finishInSlices(this.#withoutShortAnswers(data as string), slices)
        : undefined;
      if (isOutdated()) continue;
      this.#held = held;
      if (answers) this.#forgetShortAnswers(answers.found);
      return { raw: { ...raw, data: answers?.masked ?? data } as RawDraft, drafts: masked };
    }
  }

  /** The slow path, when there is something to mask. */
  *#masked(draft: Draft, held = this.#held): Iterable<Draft> {
    if ("delta" in draft && typeof draft.delta === "string") {
      yield* held.makeRoom();
      const { delta, ...rest } = held.push(draft as DeltaDraft, () => this.#mask.stream());
      const others = this.#structure(rest);
      if (delta !== "") yield { ...others, delta } as Draft;
      // An update may carry more than its text.
      else if (draft.type === "task.updated" && Object.keys(others).length > 2) yield others as Draft;
      return;
    }
    yield* held.releaseBefore(draft);
    yield this.#structure(draft);
  }

  /** Releases everything held back: the agent is gone, nothing follows. */
  release(): Iterable<Draft> {
    return this.#held.releaseAll();
  }

  get #mask(): TextMask {
    this.#made ??= new TextMask(this.#secrets);
    return this.#made;
  }

  get #diffMask(): DiffMask {
    this.#madeForDiffs ??= new DiffMask(this.#secrets);
    return this.#madeForDiffs;
  }

  #structure<Some extends object>(value: Some): Some {
    const masked = Object.entries(value).map(([key, item]) => {
      if (LANGUAGE_FIELDS.has(key)) return [key, item];
      if (key === "diff" && typeof item === "string") return [key, this.diff(item)];
      if (FREE_FIELDS.has(key)) return [key, this.value(item)];
      return [key, this.#item(item)];
    });
    return Object.fromEntries(masked) as Some;
  }

  #item(item: unknown): unknown {
    if (typeof item === "string") return this.text(item);
    if (Array.isArray(item)) return item.map((one) => this.#item(one));
    return typeof item === "object" && item !== null ? this.#structure(item) : item;
  }
}

/** A long delta in pieces, as it would be stored anyway. */
function* shortDeltas(draft: Draft): Iterable<Draft> {
  if (!("delta" in draft) || typeof draft.delta !== "string" || draft.delta.length <= LONG_TEXT) yield draft;
  else for (const delta of splitText(draft.delta, LONG_TEXT)) yield { ...draft, delta } as Draft;
}

/** All texts of a value, if together they are long. */
function textsOfLong(value: unknown): ReadonlySet<string> | undefined {
  const texts = new Set<string>();
  let length = 0;
  mapStrings(value, (text) => {
    length += text.length;
    texts.add(text);
    return text;
  });
  return length > LONG_TEXT ? texts : undefined;
}
