/** Messages of an agent that a translator knows and has no use for, each with the reason why. */

/**
 * @example const UNUSED = unusedMessages({ "Told by turns and asks": ["thread/started"] });
 */
export function unusedMessages<Name extends string>(
  byReason: Readonly<Record<string, readonly Name[]>>,
): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(byReason).flatMap(([reason, names]) => names.map((name) => [name, reason] as const)),
  );
}
