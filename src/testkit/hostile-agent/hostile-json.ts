/** JSON that nobody expects: values of any size, depth and type, and good messages with some of their places damaged. */
import type { Random } from "../random.ts";

const ODD_VALUES = [
  ...["null", "true", "false", "0", "-0", "-1", "0.5", "1e400", "-1e400", "9007199254740993", "1e-400", "[]"],
  ...[
    "{}",
    '""',
    '" "',
    '"\\u0000"',
    '"\\ud800"',
    '"\\u2028\\n\\r"',
    '"\\u202e"',
    '"__proto__"',
    '"constructor"',
  ],
  ...[
    '"."',
    '".."',
    '"../../etc/passwd"',
    '"/dev/zero"',
    '"file:///etc/passwd"',
    '"<script>alert(1)</script>"',
  ],
  ...['"-32000"', '"NaN"', '"1970-01-01T00:00:00Z"', '{"__proto__":{"polluted":true}}', "[null]", "[[],{}]"],
];

const ODD_KEYS = ["__proto__", "constructor", "toString", "", "type", "id", "\u0000", "then"];

/** What a long text is made of, as it stands in JSON. The last ones are longer there than in memory. */
const ATOMS = ["x", "é", "\u{1f600}", " ", ">", "*a", '\\"', "\\n", "\\u0000", "\\u202e"];

const MAX_DEPTH = 20_000;

type Place = { holder: Record<string, unknown> | unknown[]; key: string | number };

export class HostileJson {
  readonly #random: Random;
  readonly #maxBytes: number;

  /** No value is much longer than `maxBytes`. */
  constructor(random: Random, maxBytes: number) {
    this.#random = random;
    this.#maxBytes = maxBytes;
  }

  /** The JSON of any value. */
  value(): string {
    const random = this.#random;
    if (random.chance(0.6)) return random.pick(ODD_VALUES);
    const bytes = random.size(this.#maxBytes);
    switch (random.integer(0, 4)) {
      case 0:
      case 1:
        return longText(random.pick(ATOMS), bytes);
      case 2:
        return nested(random.chance(0.5), Math.max(1, Math.min(bytes, random.size(MAX_DEPTH))));
      case 3:
        return `{${repeat(bytes / 12, (index) => `"key${index}":${index}`)}}`;
      default:
        return `[${repeat(bytes / 12, () => random.pick(ODD_VALUES))}]`;
    }
  }

  /** The JSON of a message with up to three places changed. It may no longer be an object. */
  damage(message: unknown): string {
    const root = { message: structuredClone(message) };
    const fragments: string[] = [];
    const hole = (json: string) => `\u0001${fragments.push(json) - 1}\u0001`;
    for (let times = this.#random.integer(1, 3); times > 0; times -= 1) this.#damageOne(root, hole);
    const json = JSON.stringify(root.message) ?? "";
    return json.replace(/"\\u0001(\d+)\\u0001"/g, (_, index) => fragments[Number(index)]!);
  }

  #damageOne(root: { message: unknown }, hole: (json: string) => string): void {
    const random = this.#random;
    const places = placesOf(root);
    if (places.length === 0) return;
    const { holder, key } = random.pick(places);
    const at = holder as Record<string | number, unknown>;
    switch (random.integer(0, 9)) {
      case 0:
        if (Array.isArray(holder)) holder.splice(Number(key), 1);
        else delete at[key];
        return;
      case 1:
        if (!Array.isArray(holder)) setOwn(holder, random.pick(ODD_KEYS), hole(this.value()));
        return;
      case 2:
        at[key] = [at[key]];
        return;
      case 3: {
        const other = random.pick(places);
        at[key] = structuredClone((other.holder as Record<string | number, unknown>)[other.key]);
        return;
      }
      default:
        at[key] = hole(this.value());
    }
  }
}

/** Also `__proto__` is a key like any other. */
function setOwn(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

function placesOf(root: object): Place[] {
  const places: Place[] = [];
  const visit = (holder: Record<string, unknown> | unknown[]) => {
    for (const key of Object.keys(holder)) {
      places.push({ holder, key });
      const inner = (holder as Record<string, unknown>)[key];
      if (typeof inner === "object" && inner !== null) visit(inner as Record<string, unknown>);
    }
  };
  visit(root as Record<string, unknown>);
  return places;
}

function longText(atom: string, bytes: number): string {
  return `"${atom.repeat(Math.ceil(bytes / Buffer.byteLength(atom)))}"`;
}

function nested(isList: boolean, depth: number): string {
  return isList ? "[".repeat(depth) + "]".repeat(depth) : `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
}

function repeat(times: number, make: (index: number) => string): string {
  return Array.from({ length: Math.floor(times) }, (_, index) => make(index)).join(",");
}
