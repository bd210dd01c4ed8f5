/** An option of an ask as a person reads it: one that holds on says for what, and how long. */
import { printable } from "../format-table.ts";
import type { Ask } from "./answer-asks.ts";

type AskOption = Ask["options"][number];

/** More of them are in the page, and in `asks --json`. */
const MAX_COVERS = 20;

/** `Always allow: Bash(npm test *) (kept in .claude/settings.local.json)` */
export function optionText({ label, description, covers = [], storedIn }: AskOption): string {
  const what = covers.map(printable).filter((one) => !label.includes(one));
  const more = what.length > MAX_COVERS ? ` and ${what.length - MAX_COVERS} more` : "";
  const covered = what.length === 0 ? "" : `: ${what.slice(0, MAX_COVERS).join(", ")}${more}`;
  const notes = [keptIn(label, storedIn), description].filter((note) => note !== undefined);
  return `${label}${covered}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`;
}

/** Many labels say of themselves that it is for the session. */
function keptIn(label: string, storedIn: string | undefined): string | undefined {
  if (storedIn !== "session") return storedIn && `kept in ${storedIn}`;
  return /session/i.test(label) ? undefined : "for this session";
}
