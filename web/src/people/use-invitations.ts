/** The invitations to a session, and what can be done with them. */
import { useCallback, useState } from "react";
import { useAccess } from "../access/use-access.tsx";
import { daemon } from "../api/client.ts";
import type { CreatedInvitation, Invitation } from "../api/types.ts";
import { useFeed } from "../feed/use-feed.tsx";
import { useReloaded } from "./use-reloaded.ts";

export interface ListedInvitation extends Invitation {
  /** The name of whoever has used it, where this person may know that. */
  usedBy?: string;
}

export interface Invitations {
  /** Undefined until they are known. */
  list: readonly ListedInvitation[] | undefined;
  /** The one that was made last: only here is its link. */
  made: CreatedInvitation | undefined;
  problem: string | undefined;
  create: (role: Invitation["role"], expiresInMs: number) => Promise<void>;
  revoke: (id: string) => Promise<void>;
}

export function useInvitations(session: string): Invitations {
  const canList = useAccess().can("token.manage");
  const [list, setList] = useState<readonly ListedInvitation[]>();
  const [made, setMade] = useState<CreatedInvitation>();

  // Whoever has joined watches.
  const { viewers } = useFeed().presence.get(session) ?? {};
  const watching = viewers?.length ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: who watches is a reason to look again
  const load = useCallback(
    async (signal?: AbortSignal) => {
      const params = { id: session };
      const { invitations } = await daemon().call("GET /v1/sessions/{id}/invitations", { params }, signal);
      const { tokens } = canList ? await daemon().call("GET /v1/tokens", {}, signal) : { tokens: [] };
      const names = new Map(tokens.map(({ id, name }) => [id, name]));
      setList(
        invitations.map((invitation) => ({ ...invitation, usedBy: names.get(invitation.token ?? "") })),
      );
    },
    [session, canList, watching],
  );
  const { problem, change } = useReloaded(load);

  return {
    list,
    made,
    problem,
    create: (role, expiresInMs) =>
      change(async () => {
        const request = { params: { id: session }, body: { role, expiresInMs } };
        setMade(await daemon().call("POST /v1/sessions/{id}/invitations", request));
      }),
    revoke: (id) =>
      change(async () => {
        const params = { id: session, invitation: id };
        await daemon().call("DELETE /v1/sessions/{id}/invitations/{invitation}", { params });
        setMade((last) => (last?.id === id ? undefined : last));
      }),
  };
}
