/** Ends a stream whose log could not be read. */
import type { Logger } from "pino";
import { InterlinguaError } from "../../core/error.ts";
import type { Sink } from "../../dialects/dialect.ts";
import { CLOSE_CODES } from "../../protocol/close-code.ts";

/** The client resumes after the last event it got, so nothing is lost; or it is told that the database has lost some. */
export function endAfterFailure(
  stream: Pick<Sink, "end">,
  logger: Logger,
  session: string,
  error: unknown,
): void {
  if (InterlinguaError.isInstance(error) && error.code === "events_lost")
    return stream.end(error.message, CLOSE_CODES.eventsLost);
  // A dialect from outside failed, which its own error in the log tells.
  if (InterlinguaError.isInstance(error) && error.code === "internal")
    return stream.end(error.message, CLOSE_CODES.internal);
  logger.error({ err: error, session }, "a log could not be read for a stream");
  stream.end("the log could not be read", CLOSE_CODES.internal);
}
