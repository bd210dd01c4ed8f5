/** Who sent a request: whoever holds the token is the owner. A client may add a name, such as `phone`. */
import { type Principal, principal } from "../core/principal.ts";
import { clientName } from "./client-name.ts";
import type { AppContext } from "./mount.ts";

export function callerOf(context: AppContext, dialect = "v1"): Principal {
  return principal(clientName(context.req.header("x-interlingua-client")), dialect);
}
