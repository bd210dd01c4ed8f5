/** Who gives a command, and through which client protocol. */

/** Who gives a command. */
export interface Principal {
  /** The name in the log of whoever answers or stops. */
  readonly name: string;
  /** `v1`, or the name of a dialect. */
  readonly dialect: string;
}

/** @example await engine.interrupt(session, principal("owner", "v1")); */
export function principal(name: string, dialect: string): Principal {
  return { name, dialect };
}
