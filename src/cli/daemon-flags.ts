/** The flags by which a suggested command finds the daemon that this one was given. */
import type { Flags } from "./command.ts";

/** With a space before it, or empty where none was given. A token in an address is not repeated. */
export function daemonFlags(flags: Pick<Flags, "text">): string {
  const url = flags.text("url");
  if (url !== undefined) return ` --url ${URL.parse(url)?.origin ?? quoted(url)}`;
  const data = flags.text("data");
  return data === undefined ? "" : ` --data ${quoted(data)}`;
}

/** As a shell takes it for one word. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
