/** Who watches a session, as people see it: one entry for each name, whatever they watch with. Pure. */
import type { Presence } from "../api/types.ts";

type Viewer = Presence["viewers"][number];

export interface Watcher {
  /** With the client it gives: `ada (phone)`. */
  name: string;
  role: Viewer["role"];
  initials: string;
  /** Whether it is whoever looks at this page. */
  isMe: boolean;
  /** The names of the client protocols. */
  dialects: readonly string[];
}

/** `me` is the name of the token of this page. */
export function groupViewers(viewers: readonly Viewer[], me: string): Watcher[] {
  const groups = Map.groupBy(viewers, ({ name, role }) => `${role} ${name}`);
  return [...groups.values()].map((streams) => {
    const { name, role } = streams[0]!;
    const dialects = [...new Set(streams.map(({ dialect }) => dialect))];
    return { name, role, initials: initialsOf(name), isMe: name === `${me} (page)`, dialects };
  });
}

/** The first letters of the first two words, without the client in brackets. */
export function initialsOf(name: string): string {
  const words = name
    .replace(/\(.*\)$/, "")
    .split(/[\s._@-]+/)
    .filter(Boolean);
  const letters = words.slice(0, 2).map((word) => [...word][0]!);
  return letters.join("").toUpperCase() || "?";
}
