/** An object with fields: no list, and not null. The page runs little of the daemon's code, so it has its own. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
