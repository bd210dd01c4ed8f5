/** The tokens of one's own phones, and what can be done with them. */
import { useCallback, useState } from "react";
import { daemon } from "../api/client.ts";
import type { CreatedToken, Token } from "../api/types.ts";
import { phoneName, phonesAmong } from "./phone-name.ts";
import { useReloaded } from "./use-reloaded.ts";

export interface Phones {
  /** Those that somebody signed in with. */
  used: readonly Token[];
  /** Those whose code nobody scanned so far. */
  unused: readonly Token[];
  /** The one that was added last: only here is its link, which leads to the session and stays signed in. */
  added: CreatedToken | undefined;
  /** Why a phone could not follow a link, as sentences. Then none is made. */
  missing: readonly string[];
  problem: string | undefined;
  add: (durationMs: number) => Promise<void>;
  end: (id: string) => Promise<void>;
}

export function usePhones(session: string | undefined): Phones {
  const [tokens, setTokens] = useState<readonly Token[]>([]);
  const [added, setAdded] = useState<CreatedToken>();
  const [missing, setMissing] = useState<readonly string[]>([]);

  const load = useCallback(async (signal?: AbortSignal) => {
    const { tokens } = await daemon().call("GET /v1/tokens", {}, signal);
    setTokens(tokens);
    return tokens;
  }, []);
  const { problem, change } = useReloaded(load);

  const phones = phonesAmong(tokens);
  return {
    used: phones.filter(isUsed),
    unused: phones.filter((token) => !isUsed(token)),
    added,
    missing,
    problem,
    add: (durationMs) =>
      change(async () => {
        // Somebody may have made one elsewhere meanwhile, and names are for one token.
        const before = await load();
        // A code is shown once. What nobody scanned then is of no use any more.
        const replaced = phonesAmong(before).findLast((token) => !isUsed(token));
        if (replaced) await daemon().call("DELETE /v1/tokens/{token}", { params: { token: replaced.id } });
        const name = phoneName(before.filter((token) => token !== replaced));
        const body = { name, role: "operator" as const, expiresAt: Date.now() + durationMs };
        const made = await daemon().call("POST /v1/tokens", { body });
        if (!made.reachable) {
          await daemon().call("DELETE /v1/tokens/{token}", { params: { token: made.id } });
          return setMissing(made.missing ?? []);
        }
        const place = session === undefined ? "" : `&session=${encodeURIComponent(session)}`;
        setAdded({ ...made, link: `${made.link}${place}&stay=yes` });
      }),
    end: (id) =>
      change(async () => {
        await daemon().call("DELETE /v1/tokens/{token}", { params: { token: id } });
        setAdded((last) => (last?.id === id ? undefined : last));
      }),
  };
}

function isUsed({ lastUsedAt }: Token): boolean {
  return lastUsedAt !== undefined;
}
