/** Who sent a request: whoever holds the token. A client may add a name, such as `phone`. */
import { type Principal, principal } from "../../core/principal.ts";
import { ANYBODY } from "../access/callers.ts";
import type { AppContext } from "../mount.ts";
import { clientName } from "./client-name.ts";

export function callerOf(context: AppContext, dialect = "v1"): Principal {
  const access = context.get("access") ?? ANYBODY;
  return principal(clientName(access.name, context.req.header("x-interlingua-client")), dialect, access);
}
