/** Who sent a request: whoever holds the token is the owner; a client may add a name to tell a phone from a desk. */
import { type Principal, principal } from "../core/principal.ts";
import { clientName } from "./client-name.ts";
import type { AppContext } from "./mount.ts";

export function callerOf(context: AppContext, dialect = "v1"): Principal {
  return principal(clientName(context.req.header("x-interlingua-client")), dialect);
}
