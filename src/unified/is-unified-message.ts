/** Whether an unknown value is a UnifiedMessage. */
import { checkUnifiedMessage } from "./check-unified-message.ts";
import type { UnifiedMessage } from "./unified-message.ts";

/**
 * For any value, of anybody. Never throws. `checkUnifiedMessage` tells what is wrong.
 *
 * @example
 * isUnifiedMessage({ id: "1", type: "hello" }); // => false
 */
export function isUnifiedMessage(value: unknown): value is UnifiedMessage {
  return checkUnifiedMessage(value) === undefined;
}
