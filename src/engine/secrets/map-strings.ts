/** Changes the strings inside a value, whatever it is made of. */

/** Keys are changed too. What stays the same is not copied; keys like `__proto__` stay keys. */
export function mapStrings<Some>(value: Some, change: (text: string) => string): Some {
  if (typeof value === "string") return change(value) as Some;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => mapStrings(item, change));
    return items.some((item, index) => item !== value[index]) ? (items as Some) : value;
  }
  let isChanged = false;
  const entries = Object.entries(value).map(([key, item]) => {
    const entry = [change(key), mapStrings(item, change)] as const;
    isChanged ||= entry[0] !== key || entry[1] !== item;
    return entry;
  });
  return isChanged ? (Object.fromEntries(entries) as Some) : value;
}
