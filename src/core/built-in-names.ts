/** The names of principals that act without a token of their own. The compiler lets no other principal do so. */
import { foldName } from "./fold-name.ts";

/**
 * `owner` holds the daemon's own token, `anybody` calls a route that needs none, `daemon` answers what nobody answered in
 * time and reads on its own account, and `agentsmithy-port` is whoever uses that port.
 */
export const BUILT_IN_NAMES = ["owner", "anybody", "daemon", "agentsmithy-port"] as const;

export type BuiltInName = (typeof BUILT_IN_NAMES)[number];

/** For a `by` in the log. */
export const DAEMON_NAME: BuiltInName = "daemon";

const FOLDED = new Set(BUILT_IN_NAMES.map(foldAll));

/** Also for names that a reader takes for a built-in one: `Any Body`, `agentsmithy_port`, `anybodý`. */
export function isBuiltInName(name: string): boolean {
  return FOLDED.has(foldAll(name));
}

/** Without marks, too. Between the names of people they count: in many languages they make another name. */
function foldAll(name: string): string {
  return foldName(name.normalize("NFKD").replaceAll(/\p{M}/gu, "")).replaceAll(/[ ._@-]/g, "");
}
