/**
 * Keeps a value an agent made up within a size: texts, lists and objects are cut, with a mark where something is missing.
 * What is within its limits stays as it is and is not copied. Nothing here recurses deeper than `MAX_DEPTH`.
 */

/** Deeper values are replaced by a mark. */
export const MAX_DEPTH = 100;

/** The size of an object or list itself, so that many empty ones are not free. */
const NODE = 8;

const HIGH_SURROGATE = /[\uD800-\uDBFF]$/;

/** A text of at most about `limit` characters: its beginning, and how long it was. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const beginning = text.slice(0, limit).replace(HIGH_SURROGATE, "");
  return `${beginning}\n… [cut here: ${text.length} characters in all, the raw record has them]`;
}

/** Whether a value has at most about `limit` characters as JSON and is not too deep. Stops looking at the limit. */
export function isWithin(value: unknown, limit: number): boolean {
  return sizeWithin(value, limit, 0) <= limit;
}

/** The value itself where it is within the limit, else a copy with marks of about that size. */
export function boundValue(value: unknown, limit: number): unknown {
  if (typeof value === "string") return cutText(value, limit);
  if (isWithin(value, limit)) return value;
  return shrink(value, { left: limit, longest: Math.floor(limit / 4) }, 0);
}

/** Roughly how many characters a value has as JSON, however large or deep it is. */
export function sizeOf(value: unknown): number {
  let size = ownSize(value);
  if (typeof value !== "object" || value === null) return size;
  /** Objects and lists whose own size is counted, and not yet what is in them. */
  const waiting: object[] = [value];
  const add = (item: unknown) => {
    size += ownSize(item);
    if (typeof item === "object" && item !== null) waiting.push(item);
  };
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Array.isArray(next)) for (const item of next) add(item);
    else
      for (const key in next) {
        size += key.length + 3;
        add((next as Record<string, unknown>)[key]);
      }
  }
  return size;
}

function ownSize(value: unknown): number {
  if (typeof value === "string") return value.length + 2;
  return typeof value === "object" && value !== null ? NODE : 6;
}

/** The size, or anything above the limit. */
function sizeWithin(value: unknown, limit: number, depth: number): number {
  let size = ownSize(value);
  if (typeof value !== "object" || value === null) return size;
  if (depth >= MAX_DEPTH) return Number.POSITIVE_INFINITY;
  if (Array.isArray(value)) {
    for (const item of value) {
      size += sizeWithin(item, limit - size, depth + 1);
      if (size > limit) return size;
    }
    return size;
  }
  for (const key in value) {
    size += key.length + 3;
    if (size > limit) return size;
    size += sizeWithin((value as Record<string, unknown>)[key], limit - size, depth + 1);
    if (size > limit) return size;
  }
  return size;
}

interface Budget {
  left: number;
  /** No single text takes all of the limit, so that something of what follows it is kept too. */
  readonly longest: number;
}

function shrink(value: unknown, budget: Budget, depth: number): unknown {
  budget.left -= ownSize(value);
  if (typeof value === "string") {
    const limit = Math.min(budget.longest, Math.max(0, budget.left + value.length));
    if (value.length <= limit) return value;
    budget.left += value.length - limit;
    return cutText(value, limit);
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return `… [cut here: more than ${MAX_DEPTH} levels deep, the raw record has them]`;
  return Array.isArray(value) ? shrinkList(value, budget, depth) : shrinkObject(value, budget, depth);
}

function shrinkList(list: readonly unknown[], budget: Budget, depth: number): unknown[] {
  const kept: unknown[] = [];
  for (const item of list) {
    if (budget.left <= 0) break;
    kept.push(shrink(item, budget, depth + 1));
  }
  if (kept.length < list.length) kept.push(missing(list.length - kept.length));
  return kept;
}

function shrinkObject(object: object, budget: Budget, depth: number): object {
  const kept: [string, unknown][] = [];
  let isWhole = true;
  for (const key in object) {
    if (budget.left <= 0) {
      isWhole = false;
      break;
    }
    budget.left -= key.length + 3;
    const value = shrink((object as Record<string, unknown>)[key], budget, depth + 1);
    kept.push([key.length > budget.longest ? cutText(key, budget.longest) : key, value]);
  }
  if (!isWhole) kept.push(["…", missing(Object.keys(object).length - kept.length)]);
  return Object.fromEntries(kept);
}

function missing(count: number): string {
  return `… [cut here: ${count} more, the raw record has them]`;
}
