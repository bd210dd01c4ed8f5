/** The answer of a handler that wrote to the socket itself. */
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";

/**
 * Made after another server of the same library began in this process (a host application's, if the daemon is embedded
 * in one), it would be a response of the library's own kind, whose headers it writes a second time. Looking at the body
 * makes it an ordinary one.
 */
void RESPONSE_ALREADY_SENT.body;

export { RESPONSE_ALREADY_SENT as ALREADY_SENT };
