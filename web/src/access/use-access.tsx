/** What the token of this page may do, so that nothing is offered that the daemon would refuse. */
import { createContext, type ReactNode, useContext, useMemo } from "react";
import type { Right } from "../../../src/core/rights.ts";
import { daemon } from "../api/client.ts";
import { rememberGuest } from "../api/token.ts";
import type { Ask, Me } from "../api/types.ts";
import { useUntilAnswered } from "../api/use-until-answered.ts";
import { ConnectionBanner } from "../shell/connection-banner.tsx";

export interface Access {
  me: Me;
  can: (right: Right) => boolean;
  canAnswer: (kind: Ask["kind"]) => boolean;
}

const RETRY_MS = 1000;

/** For tests of components; others use `AccessProvider`. */
export const AccessContext = createContext<Access | undefined>(undefined);

/** Shows nothing else before it is known. */
export function AccessProvider({ children }: { children: ReactNode }) {
  const me = useUntilAnswered(readMe, RETRY_MS);
  const access = useMemo(() => me && accessOf(me), [me]);
  if (!access) return <ConnectionBanner state="connecting" />;
  return <AccessContext value={access}>{children}</AccessContext>;
}

export function useAccess(): Access {
  const access = useContext(AccessContext);
  if (!access) throw new Error("useAccess is used outside of AccessProvider");
  return access;
}

export function accessOf(me: Me): Access {
  const rights = new Set<Right>(me.rights);
  // It makes those alone that it is for, by their ids, and the page knows no ids of sessions that are not there.
  if (me.sessions) rights.delete("session.create");
  return {
    me,
    can: (right) => rights.has(right),
    canAnswer: (kind) => rights.has(`ask.${kind}`),
  };
}

async function readMe(signal: AbortSignal): Promise<Me> {
  const found = await daemon().call("GET /v1/me", {}, signal);
  // Whoever holds the token of the daemon itself knows where it stands.
  if (found.token !== undefined) rememberGuest();
  return found;
}
