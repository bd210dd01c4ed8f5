/** The session that starts while a person writes, for components. Inside the provider no list shows it before it is used. */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from "react";
import { authorizedFetch, daemon } from "../api/client.ts";
import { messageOf } from "../api/error-text.ts";
import { FeedWithout } from "../feed/use-feed.tsx";
import { LeftSessions } from "./left-sessions.ts";
import { type WarmCalls, WarmSession, type WarmState } from "./warm-session.ts";

const WarmContext = createContext<WarmSession | undefined>(undefined);

export function WarmSessionProvider({ children }: { children: ReactNode }) {
  const { warm, left } = useMemo(() => {
    const left = new LeftSessions();
    return { left, warm: new WarmSession(callsWith(left)) };
  }, []);
  useEffect(() => {
    void left.clear();
    const leave = () => warm.leave();
    addEventListener("pagehide", leave);
    return () => {
      removeEventListener("pagehide", leave);
      leave();
    };
  }, [warm, left]);
  const unused = useSyncExternalStore(warm.subscribe, warm.getUnused);
  return (
    <WarmContext value={warm}>
      <FeedWithout sessions={unused}>{children}</FeedWithout>
    </WarmContext>
  );
}

export function useWarmSession(): { warm: WarmSession; state: WarmState | undefined } {
  const warm = useContext(WarmContext);
  if (!warm) throw new Error("useWarmSession is used outside of WarmSessionProvider");
  return { warm, state: useSyncExternalStore(warm.subscribe, warm.getState) };
}

function callsWith(left: LeftSessions): WarmCalls {
  return {
    newId: createSessionId,
    async create(id, { agent, cwd }) {
      left.add(id);
      await daemon().call("POST /v1/sessions/{id}", { params: { id }, body: { agent, cwd } });
    },
    attach: (id) => daemon().call("POST /v1/sessions/{id}/attach", { params: { id } }),
    update: (id, body) => daemon().call("PATCH /v1/sessions/{id}", { params: { id }, body }),
    async remove(id, isLeaving) {
      // Whatever comes of it: what is left is looked for when the tab is loaded again.
      const { ok } = await authorizedFetch(`/v1/sessions/${id}`, { method: "DELETE", keepalive: isLeaving });
      if (ok) left.delete(id);
    },
    used: (id) => left.delete(id),
    explain: messageOf,
  };
}

/** Not a UUID: browsers make those only for pages from localhost or over TLS. */
function createSessionId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `ses_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
