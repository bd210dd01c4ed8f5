/** What a session is known by in lists: its title, else the beginning of its first prompt, else where it works. */
import type { SessionEvent, SessionView } from "../sdk/types.ts";
import { printable } from "./format-table.ts";
import type { Reader } from "./reader.ts";

/** The first prompt is among the first events, or there is none yet. */
const FIRST_EVENTS = 10;
/** More does not fit into a line. */
const MAX_LENGTH = 200;

export async function sessionLabel(
  reader: Reader,
  { id, title, cwd }: Pick<SessionView, "id" | "title" | "cwd">,
): Promise<string> {
  if (title !== undefined) return title;
  // One that is deleted just now, or whose log is damaged, is still in the list.
  return (await firstPrompt(reader, id).catch(() => undefined)) ?? cwd;
}

async function firstPrompt(reader: Reader, session: string): Promise<string | undefined> {
  let seen = 0;
  for await (const json of reader.events(session, 0, FIRST_EVENTS)) {
    const event = JSON.parse(json) as SessionEvent;
    if (event.type === "prompt.accepted") {
      const text = event.parts.flatMap((part) => (part.type === "text" ? part.text : [])).join(" ");
      return printable(text.slice(0, MAX_LENGTH)) || undefined;
    }
    if (++seen === FIRST_EVENTS) return undefined;
  }
  return undefined;
}
