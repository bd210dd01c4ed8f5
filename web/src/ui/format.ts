/** Numbers and times as people read them. */

export function formatCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 100_000) return `${(count / 1000).toFixed(1).replace(/\.0$/, "")}k`;
  if (count < 1_000_000) return `${Math.round(count / 1000)}k`;
  return `${(count / 1_000_000).toFixed(1).replace(/\.0$/, "")}M`;
}

export function formatCost(dollars: number): string {
  if (dollars === 0) return "$0";
  if (dollars < 0.0001) return "<$0.0001";
  return `$${dollars.toFixed(dollars < 0.1 ? 4 : 2)}`;
}

/** Where amounts stand below one another: all with the same digits. */
export function formatCents(dollars: number): string {
  if (dollars > 0 && dollars < 0.01) return "<$0.01";
  return `$${dollars.toFixed(2)}`;
}

export function formatDuration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${Math.round(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

/** How long ago, in one short word. */
export function formatAge(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours}h`;
  const days = Math.floor(hours / 24);
  return days < 60 ? `${days}d` : `${Math.floor(days / 30)}mo`;
}

/** A day and a time, as this person writes them. */
export function formatMoment(at: number): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/** Of today the time is enough. */
export function shortMoment(at: number): string {
  const moment = new Date(at);
  const isToday = moment.toDateString() === new Date().toDateString();
  return isToday ? moment.toLocaleTimeString(undefined, { timeStyle: "short" }) : formatMoment(at);
}

/** The last folder of a path. */
export function folderName(path: string): string {
  return path.split("/").filter(Boolean).at(-1) ?? path;
}

/** One line, cut where it gets too long. */
export function excerpt(text: string, length: number): string {
  // Text far behind the cut is not read: it may be very long.
  const near = text.slice(0, length * 8);
  const characters = [...near.replace(/\s+/g, " ").trim()];
  if (characters.length <= length && near.length === text.length) return characters.join("");
  return `${characters.slice(0, length - 1).join("")}…`;
}

/** A single line is never longer than a screen is wide. */
export const LINE_LENGTH = 300;

/** The text, or its beginning if it is too long for one line. */
export function clip(text: string, length: number = LINE_LENGTH): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

export function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
