/** Secrets in every legal spelling, in whole texts and in pieces. What the engine does with them: secrets.test.ts. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Draft } from "../../core/draft.ts";
import { TimeSlices } from "../../core/time-slices.ts";
import { SecretMask } from "./secret-mask.ts";

/** Characters that JSON must escape, may escape, or that take more than one unit. None of a placeholder's own. */
const secretText = fc
  .tuple(
    fc.string({ unit: fc.constantFrom(..."kqxzKQXZ0123456789"), minLength: 6, maxLength: 12 }),
    fc.string({ unit: fc.constantFrom(...'/="\\\n\tä😀\u2028-+&<'), minLength: 0, maxLength: 4 }),
    fc.string({ unit: fc.constantFrom(..."kqxzKQXZ0123456789"), minLength: 1, maxLength: 6 }),
  )
  .map((pieces) => pieces.join(""));

const secretTexts = fc.uniqueArray(secretText, { minLength: 1, maxLength: 4 });

const filler = fc.string({ unit: fc.constantFrom(...'abc de.:,{}"/ü\n'), maxLength: 12 });

function maskOf(secrets: readonly string[]): SecretMask {
  return new SecretMask(secrets.map((value, index) => [`K${index}`, value] as const));
}

/** Text with secrets in it, and text with none. */
function textWith(secrets: readonly string[]): fc.Arbitrary<string> {
  return fc.array(fc.oneof(filler, fc.constantFrom(...secrets)), { maxLength: 5 }).map((all) => all.join(""));
}

/** Text that is never JSON: put back into JSON, a value is spelled as JSON has it. */
function wordsWith(secrets: readonly string[]): fc.Arbitrary<string> {
  return textWith(secrets).map((text) => `Say ${text}`);
}

function documentOf(text: fc.Arbitrary<string>, picks: Picks): fc.Arbitrary<unknown> {
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      text,
      fc.oneof(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
      ),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(text, tie("value"), { maxKeys: 4, noNullPrototype: true }),
      // JSON within JSON, itself in any spelling.
      tie("value").map((value) => write(value, picks)),
    ),
  })).value;
}

type Picks = () => number;

/** Writes JSON as some writer might: every character literally or escaped, with spaces or without. */
function write(value: unknown, pick: Picks): string {
  const space = () => [" ", "", "", "\t"][pick() % 4]!;
  if (typeof value === "string") {
    const units = Array.from({ length: value.length }, (_, index) => writeUnit(value, index, pick));
    return `"${units.join("")}"`;
  }
  if (Array.isArray(value))
    return `[${space()}${value.map((item) => write(item, pick)).join(`,${space()}`)}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, item]) => `${write(key, pick)}:${space()}${write(item, pick)}`,
  );
  return `{${entries.join(`${space()},`)}}`;
}

function writeUnit(text: string, index: number, pick: Picks): string {
  const unit = text[index]!;
  const hex = text.charCodeAt(index).toString(16).padStart(4, "0");
  const choice = pick() % 8;
  if (choice === 0) return `\\u${hex}`;
  if (choice === 1) return `\\u${hex.toUpperCase()}`;
  if (unit === "/" && choice < 5) return "\\/";
  const canonical = JSON.stringify(unit).slice(1, -1);
  return /[\ud800-\udfff]/.test(unit) ? unit : canonical;
}

/** The value with the JSON in its strings parsed too, so that spellings no longer matter. */
function meaning(value: unknown): unknown {
  if (typeof value === "string") {
    if (!/^\s*[[{"]/.test(value)) return value;
    try {
      return { json: meaning(JSON.parse(value)) };
    } catch {
      return value;
    }
  }
  if (Array.isArray(value)) return value.map(meaning);
  if (typeof value !== "object" || value === null) return value;
  return { entries: Object.entries(value).map(([key, item]) => [meaning(key), meaning(item)]) };
}

const spelled = fc
  .tuple(secretTexts, fc.array(fc.nat(999), { minLength: 50, maxLength: 200 }))
  .chain(([secrets, numbers]) => {
    let at = 0;
    const picks = () => {
      at += 1;
      return numbers[at % numbers.length]!;
    };
    return documentOf(fc.oneof(wordsWith(secrets), fc.constantFrom(...secrets)), picks).map((document) => ({
      secrets,
      document,
      line: write(document, picks),
    }));
  });

describe("a line of JSON", () => {
  it("has no secret in any string after masking, however it was spelled, and says the same else", () => {
    fc.assert(
      fc.property(spelled, ({ secrets, line }) => {
        const mask = maskOf(secrets);
        const { data } = mask.record({ direction: "in", data: line });
        const masked = JSON.parse(data as string);
        const found = JSON.stringify(meaning(masked), (_key, item) => {
          if (typeof item === "string" && secrets.some((secret) => item.includes(secret)))
            throw new Error(item);
          return item;
        });
        expect(found).toBeDefined();
        expect(meaning(mask.reveal(masked))).toEqual(meaning(JSON.parse(line)));
      }),
      { numRuns: 500 },
    );
  });

  it("without a secret stays as it is, byte for byte", () => {
    fc.assert(
      fc.property(
        secretTexts,
        fc.json(),
        fc.array(fc.nat(999), { minLength: 5 }),
        (secrets, json, numbers) => {
          let at = 0;
          const line = write(JSON.parse(json), () => numbers[at++ % numbers.length]!);
          expect(maskOf(secrets).record({ direction: "in", data: line }).data).toBe(line);
        },
      ),
    );
  });

  it.each([
    ["a slash", "sk/live/1234", String.raw`{"key":"sk\/live\/1234"}`],
    ["an equals sign", "sk=live=1234", String.raw`{"key":"sk\u003dlive\u003D1234"}`],
    ["an umlaut", "schlüssel", String.raw`{"key":"schl\u00fcssel"}`],
    ["a pair of surrogates", "my😀secret", String.raw`{"key":"my\ud83d\uDE00secret"}`],
    ["every character", "abcdef", String.raw`{"key":"\u0061\u0062\u0063\u0064\u0065\u0066"}`],
    ["JSON within JSON", "sk/live/1234", String.raw`{"key":"{\"inner\":\"sk\\/live\\u002f1234\"}"}`],
  ])("with a secret that survived in legal escapes: %s", (_what, secret, line) => {
    const masked = new SecretMask([["KEY", secret]]).record({ direction: "in", data: line }).data as string;
    expect(masked).toMatch(/\[secret KEY\]/);
    expect(JSON.stringify(meaning(JSON.parse(masked)))).not.toContain(secret);
  });

  it.each([
    [
      "numbers",
      "100000",
      '{"size":100000,"text":"size 100000"}',
      '{"size":100000,"text":"size [secret KEY]"}',
    ],
    ["what only looks like it", "nsecret", String.raw`{"a":"\nsecret"}`, String.raw`{"a":"\nsecret"}`],
    ["structure", '","b":"c', '{"a":"x","b":"c"}', '{"a":"x","b":"c"}'],
    [
      "numbers without precision",
      "secret-1",
      '{"n":1.0e400,"s":"secret-1"}',
      '{"n":1.0e400,"s":"[secret KEY]"}',
    ],
    ["doubled keys", "secret-1", '{"a":1,"a":"secret-1"}', '{"a":1,"a":"[secret KEY]"}'],
    ["keys", "secret-1", '{"__proto__":{"secret-1":1}}', '{"__proto__":{"[secret KEY]":1}}'],
    ["plain text", "secret-1", "warning: secret-1 {", "warning: [secret KEY] {"],
    [
      "JSON in plain text",
      "sk/live/1",
      String.raw`data: {"k":"sk\/live\u002F1"}`,
      'data: {"k":"[secret KEY]"}',
    ],
  ])("keeps %s", (_what, secret, line, expected) => {
    const mask = new SecretMask([["KEY", secret]]);
    expect(mask.record({ direction: "in", data: line }).data).toBe(expected);
  });

  it("has the longest of the secrets that contain each other", () => {
    const mask = new SecretMask([
      ["HOST", "db.example.com"],
      ["URL", "postgres://u:p@db.example.com/x"],
    ]);
    expect(mask.text("postgres://u:p@db.example.com/x db.example.com")).toBe("[secret URL] [secret HOST]");
    expect(mask.text("postgres://u:p@db.example.com")).toBe("postgres://u:p@[secret HOST]");
  });
});

describe("short answers", () => {
  it.each([",", ":", "},{", '"'])("never break the line that takes them: %s", (answer) => {
    const mask = new SecretMask([]);
    mask.addAnswers([["q", answer]]);
    const line = JSON.stringify({ a: "b", c: [{ d: answer }, { e: "f" }] });
    const { data } = mask.record({ direction: "out", data: line });
    expect(JSON.parse(data as string)).toEqual({ a: "b", c: [{ d: "[secret q]" }, { e: "f" }] });
  });

  it("keep nobody waiting in a long line, and are masked there once", async () => {
    const mask = new SecretMask([]);
    mask.addAnswers([["pin", "1234"]]);
    const words = Array.from({ length: 20_000 }, (_, index) => `word ${index}`);
    const raw = { direction: "out", data: JSON.stringify([...words, "1234"]) } as const;
    expect(mask.isLong(raw)).toBe(true);
    const turns: string[] = [];
    setImmediate(() => turns.push("of others"));
    const { raw: masked } = await mask.inSlices(raw, [], new TimeSlices(0));
    expect(turns).toEqual(["of others"]);
    expect(masked).toEqual({ direction: "out", data: JSON.stringify([...words, "[secret pin]"]) });
    expect(mask.record({ direction: "out", data: '["1234"]' }).data).toBe('["1234"]');
  });

  it("are masked in a long line also where more secrets become known meanwhile", async () => {
    const mask = new SecretMask([["KEY", "first-secret"]]);
    mask.addAnswers([["pin", "1234"]]);
    const words = Array.from({ length: 20_000 }, () => "later-secret");
    const raw = { direction: "out", data: JSON.stringify([...words, "1234"]) } as const;
    const masking = mask.inSlices(raw, [], new TimeSlices(0));
    setImmediate(() => mask.add([["LATER", "later-secret"]]));
    expect((await masking).raw.data).not.toMatch(/later-secret|1234/);
  });
});

describe("a prompt", () => {
  it("is the same again when its secrets are put back", () => {
    const prompt = secretTexts.chain((secrets) => fc.tuple(fc.constant(secrets), wordsWith(secrets)));
    fc.assert(
      fc.property(prompt, ([secrets, text]) => {
        const mask = maskOf(secrets);
        const masked = mask.value([{ type: "text" as const, text }]);
        expect(secrets.some((secret) => masked[0]!.text.includes(secret))).toBe(false);
        expect(mask.reveal(masked)).toEqual([{ type: "text", text }]);
      }),
      { numRuns: 500 },
    );
  });
});

it("a secret after what only looks like an escape is masked", () => {
  const mask = new SecretMask([["KEY", "sk/live/1234"]]);
  expect(mask.text(String.raw`C:\users\x \u00zz sk\/live\/1234`)).toBe(
    String.raw`C:\users\x \u00zz [secret KEY]`,
  );
});

describe("long text", () => {
  const slices = new TimeSlices(0);
  /** Makes every text long, and full of escapes. */
  const padding = String.raw`\\n\u0041\"\\\\ä`.repeat(4500);
  const long = secretTexts.chain((secrets) =>
    fc.record({
      secrets: fc.constant(secrets),
      before: wordsWith(secrets),
      after: wordsWith(secrets),
      escaped: fc.boolean(),
    }),
  );

  it("masked in slices has the same result as masked at once", async () => {
    await fc.assert(
      fc.asyncProperty(long, async ({ secrets, before, after, escaped }) => {
        const text = escaped ? JSON.stringify(`${before}${padding}${after}`) : `${before}${padding}${after}`;
        const line = JSON.stringify({ text, secrets });
        const raw = { direction: "in", data: line } as const;
        const drafts: Draft[] = [
          { type: "text.delta", part: "p", delta: "abc" },
          { type: "text.delta", part: "p", delta: text },
          { type: "tool.output", call: "c", output: { text } },
          { type: "text.end", part: "p" },
        ];
        const atOnce = maskOf(secrets);
        const expected = drafts.flatMap((draft) => [...atOnce.draft(draft)]);
        const inSlices = await maskOf(secrets).inSlices(raw, drafts, slices);
        expect(inSlices.raw).toEqual(atOnce.record(raw));
        expect(joined(inSlices.drafts)).toEqual(joined(expected));
        expect(JSON.stringify(inSlices)).not.toContain(JSON.stringify(secrets[0]).slice(1, -1));
      }),
      { numRuns: 8 },
    );
  });

  it("is masked with a secret that became known meanwhile", async () => {
    const mask = maskOf(["first-secret"]);
    const text = `first-secret later-secret ${padding}`;
    const prepared = mask.prepare({ text }, slices);
    const masking = mask.inSlices(
      { direction: "in", data: JSON.stringify({ text }) },
      [{ type: "text.delta", part: "p", delta: text }],
      slices,
    );
    mask.add([["K1", "later-secret"]]);
    using _prepared = await prepared;
    expect(mask.value({ text }).text).toContain("[secret K0] [secret K1]");
    const { raw, drafts } = await masking;
    expect(JSON.stringify([raw, drafts, ...mask.release()])).not.toMatch(/first-secret|later-secret/);
  });

  it("of a diff is masked in slices as it is at once, also with a secret that became known meanwhile", async () => {
    const key = "first line of a key\nsecond line of it\nthird line of it";
    const lines = [...key.split("\n"), "one-line-secret", "later-secret", padding].map((line) => `+${line}`);
    const diff = [
      "@@ -0,0 +1,6 @@",
      ...lines,
      ...Array.from({ length: 2000 }, (_, at) => ` line ${at}`),
    ].join("\n");
    const mask = maskOf([key, "one-line-secret"]);
    const expected = maskOf([key, "one-line-secret"]).diff(diff);
    expect(expected).toContain("\n+[secret K0]\n+[secret K0]\n+[secret K0]\n+[secret K1]\n+later-secret\n");
    let turns = 0;
    const count = setInterval(() => {
      turns += 1;
    });
    {
      using prepared = await mask.prepareDiffs([diff], slices);
      expect(prepared).toBeDefined();
      expect(turns).toBeGreaterThan(2);
      expect(mask.diff(diff)).toBe(expected);
    }
    clearInterval(count);
    const preparing = mask.prepareDiffs([diff], slices);
    mask.add([["K2", "later-secret"]]);
    using _late = await preparing;
    expect(mask.diff(diff)).toContain("+[secret K1]\n+[secret K2]\n");
    expect(mask.prepareDiffs(["+short"], slices)).toBeUndefined();
  });

  it("of a part is held back across records as if it were short", async () => {
    const mask = maskOf(["secret-and-more"]);
    const tell = async (delta: string) => {
      const raw = { direction: "in", data: JSON.stringify({ delta }) } as const;
      const { drafts } = await mask.inSlices(raw, [{ type: "text.delta", part: "p", delta }], slices);
      return joined(drafts).text ?? "";
    };
    expect(await tell(`${padding} secret-`)).toBe(`${padding} `);
    expect(await tell(`and-more ${padding}`)).toBe(`[secret K0] ${padding}`);
  });
});

/** Deltas may be cut anywhere. */
function joined(drafts: Iterable<Draft>): { text?: string; others?: Draft[] } {
  const all: { text?: string; others?: Draft[] } = {};
  for (const draft of drafts) {
    if (draft.type === "text.delta") all.text = (all.text ?? "") + draft.delta;
    else all.others = [...(all.others ?? []), draft];
  }
  return all;
}

describe("text in pieces", () => {
  const pieces = secretTexts.chain((secrets) =>
    fc.record({
      secrets: fc.constant(secrets),
      /** Two parts that are told in turns. */
      parts: fc.tuple(wordsWith(secrets), wordsWith(secrets)),
      cuts: fc.array(fc.nat(5), { minLength: 1, maxLength: 30 }),
    }),
  );

  it("lets no secret through wherever it is cut, and loses and reorders nothing", () => {
    fc.assert(
      fc.property(pieces, ({ secrets, parts, cuts }) => {
        const mask = maskOf(secrets);
        const told = ["", ""];
        const rests = [...parts];
        const hear = (drafts: Iterable<Draft>) => {
          for (const draft of drafts)
            if (draft.type === "text.delta") told[Number(draft.part)] += draft.delta;
        };
        for (let turn = 0; rests.some((rest) => rest !== ""); turn += 1) {
          const part = turn % 2;
          const length = cuts[turn % cuts.length]! + 1;
          const delta = rests[part]!.slice(0, length);
          rests[part] = rests[part]!.slice(length);
          hear(mask.draft({ type: "text.delta", part: String(part), delta }));
        }
        hear(mask.draft({ type: "text.end", part: "0" }));
        hear(mask.release());
        for (const [index, text] of told.entries()) {
          expect(secrets.some((secret) => text.includes(secret))).toBe(false);
          expect(mask.reveal({ text })).toEqual({ text: parts[index] });
        }
      }),
      { numRuns: 500 },
    );
  });

  it("lets no secret through that is escaped and cut", () => {
    const secret = 'sk/"live"\n1234';
    const input = String.raw`{"key":"\u0073k\/\"live\u0022\n1234","next":"{\"key\":\"sk\\\/\\\"live\\\"\\n1234\"}"}`;
    for (let size = 1; size < 20; size += 1) {
      const mask = new SecretMask([["KEY", secret]]);
      const drafts: Draft[] = [];
      for (let at = 0; at < input.length; at += size)
        drafts.push(
          ...mask.draft({ type: "tool.input.delta", call: "c", delta: input.slice(at, at + size) }),
        );
      drafts.push(...mask.release());
      const told = drafts.map((draft) => ("delta" in draft ? draft.delta : "")).join("");
      expect(told).toBe(String.raw`{"key":"[secret KEY]","next":"{\"key\":\"[secret KEY]\"}"}`);
    }
  });

  it("masks the longer of two secrets where the shorter one is its beginning, also when it is cut there", () => {
    const mask = new SecretMask([
      ["SHORT", "secret"],
      ["LONG", "secret-and-more"],
    ]);
    const say = (delta: string) => [...mask.draft({ type: "text.delta", part: "p", delta })];
    expect(say("a secret")).toEqual([{ type: "text.delta", part: "p", delta: "a " }]);
    expect(say("-and-more")).toEqual([{ type: "text.delta", part: "p", delta: "[secret LONG]" }]);
    expect(say(" secret-and")).toEqual([{ type: "text.delta", part: "p", delta: " " }]);
    expect(say(" so on")).toEqual([{ type: "text.delta", part: "p", delta: "[secret SHORT]-and so on" }]);
  });

  it("keeps what a task tells beside its output", () => {
    const mask = new SecretMask([["KEY", "secret-1"]]);
    const drafts = [...mask.draft({ type: "task.updated", task: "t", delta: "secr", title: "has secret-1" })];
    expect(drafts).toEqual([{ type: "task.updated", task: "t", title: "has [secret KEY]" }]);
  });

  it("finds a secret given while its beginning was held", () => {
    const mask = new SecretMask([["A", "abcdefgh"]]);
    const say = (delta: string) => [...mask.draft({ type: "text.delta", part: "p", delta })];
    expect(say("x abc")).toMatchObject([{ delta: "x " }]);
    mask.add([["B", "bcdxyz"]]);
    expect(say("dxy")).toMatchObject([{ delta: "a" }]);
    expect(say("z abcdefgh.")).toMatchObject([{ delta: "[secret B] [secret A]." }]);
  });
});
