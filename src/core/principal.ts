/** Who gives a command, and through which client protocol. */
import { DAEMON_NAME } from "./built-in-names.ts";
import { type Access, OWNER } from "./rights.ts";

/** Who gives a command. */
export interface Principal {
  /** The name in the log of whoever acts: of the token, with that of the client where it gives one. */
  readonly name: string;
  /** `v1`, or the name of a dialect. */
  readonly dialect: string;
  readonly access: Access;
}

/** @example await engine.run("interrupt", { session }, principal("owner", "v1")); */
export function principal(name: string, dialect: string, access = OWNER): Principal {
  return { name, dialect, access };
}

/** The daemon itself, for what it reads on its own account. */
export const DAEMON: Principal = principal(DAEMON_NAME, "v1", {
  name: DAEMON_NAME,
  role: "owner",
});
