/** Exchanges the code of an invitation for a token. */
import { InterlinguaError } from "./error.ts";
import { type ConnectOptions, HttpClient } from "./http.ts";
import type { RedeemedInvitation } from "./types.ts";

export interface RedeemOptions extends Omit<ConnectOptions, "token" | "name"> {
  /** Where the daemon listens. The link of the invitation is fine too, with its code. */
  readonly baseUrl: string;
  /** Taken from the link when absent. */
  readonly code?: string;
  /** Who you are, as others see it, unless the invitation has a name. */
  readonly name?: string;
}

/** Rejects with `invitation_used`, `invitation_expired` or `invitation_not_found`. */
export async function redeem({ code, name, ...options }: RedeemOptions): Promise<RedeemedInvitation> {
  const given = code ?? /^#\/join\/([^/?]+)$/.exec(new URL(options.baseUrl).hash)?.[1];
  if (given === undefined)
    throw new InterlinguaError(
      "invalid_request",
      "Give the code of the invitation, or its whole link as baseUrl.",
    );
  const http = new HttpClient(options);
  return http.call("POST /v1/invitations/redeem", { body: { code: given, name } });
}
