/** Codes of close frames of WebSockets. docs/reference/unified-api.md lists them. */
export const CLOSE_CODES = {
  /** The session is closed: nothing can follow. */
  done: 1000,
  /** The daemon is shutting down. */
  goingAway: 1001,
  /** A binary message. */
  notText: 1003,
  /** Messages that came too fast. */
  tooMany: 1008,
  /** A message that is too large. */
  tooLarge: 1009,
  /** An error of the daemon. */
  internal: 1011,
  /** Too much is under way in the daemon. */
  tryLater: 1013,
  /** The token was revoked, or has expired. */
  tokenEnded: 4001,
  /** The database has lost events that were sent: the log is read again. */
  eventsLost: 4503,
  /** The session was deleted. */
  sessionDeleted: 4404,
} as const;
