/** A duration as people write it: `30m`, `12h`, `7d`. */
import type { Flags } from "./command.ts";
import { UsageError } from "./usage-error.ts";

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};
/** More than anybody needs, and still a date. */
const MAX_MS = 100 * 366 * 86_400_000;

/** In milliseconds; undefined when the flag is not given. */
export function readDuration(flags: Flags, name: string): number | undefined {
  const text = flags.text(name);
  if (text === undefined) return undefined;
  const [, count, unit = ""] = /^(\d{1,9})([smhdw])$/.exec(text.trim()) ?? [];
  const milliseconds = Number(count) * (UNITS_MS[unit] ?? 0);
  if (milliseconds > 0 && milliseconds <= MAX_MS) return milliseconds;
  throw new UsageError(`--${name}: "${text}" is not a duration. Write it like 90s, 30m, 12h, 7d or 4w.`);
}
