/** @example exactTime(0) // "00:00:00.000", in this person's time */
export function exactTime(at: number): string {
  const date = new Date(at);
  const time = date.toLocaleTimeString("en-GB", { hour12: false });
  return `${time}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}
