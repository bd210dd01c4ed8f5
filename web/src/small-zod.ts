/**
 * Stands for `zod/v4` and `zod/v4/core` in the AI SDK (`vite.config.ts`), which asks for two forms of zod: of the larger one
 * it needs only these functions, which the smaller one has as well, and of the core nothing that makes JSON Schema.
 */
import { type core, lazy as lazyType, optional, record as recordType } from "zod/v4/mini";

export {
  array,
  boolean,
  config,
  custom,
  discriminatedUnion,
  instanceof,
  literal,
  null,
  number,
  object,
  safeParseAsync,
  string,
  union,
  unknown,
} from "zod/v4/mini";

export function lazy<T extends core.SomeType>(getter: () => T) {
  return withOptional(lazyType(getter));
}

export function record<Key extends core.$ZodRecordKey, Value extends core.SomeType>(key: Key, value: Value) {
  return withOptional(recordType(key, value));
}

/** The page describes no tools to models. */
export function toJSONSchema(): never {
  throw new Error("The page is built without JSON Schema.");
}

/** The one method of the larger form that is called: on the types of JSON values and of metadata. */
function withOptional<T extends core.SomeType>(type: T) {
  return Object.assign(type, { optional: () => optional(type) });
}
