/** Records whose keys somebody else chose: `constructor` and `__proto__` are keys like any other. */
import { isObject } from "./is-record.ts";

/** What the record itself has under the key, never what it inherits. */
export function ownValue<Value>(
  record: Readonly<Record<string, Value>> | undefined,
  key: string,
): Value | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

/**
 * The path of a key `__proto__` that a schema left out of what it parsed: record schemas drop it without a word. What a
 * schema handed on as it was is not looked through.
 *
 * @example lostPrototypeKey(JSON.parse('{"env":{"__proto__":"x"}}'), { env: {} }) // ["env", "__proto__"]
 */
export function lostPrototypeKey(given: unknown, parsed: unknown): string[] | undefined {
  if (given === parsed || !isObject(given) || !isObject(parsed)) return undefined;
  if (Object.hasOwn(given, "__proto__") && !Object.hasOwn(parsed, "__proto__")) return ["__proto__"];
  for (const key of Object.keys(given)) {
    const lost = Object.hasOwn(parsed, key) ? lostPrototypeKey(given[key], parsed[key]) : undefined;
    if (lost) return [key, ...lost];
  }
  return undefined;
}
