/** What a session and its agent can do, loaded again when the session's state changes. */
import { useCallback, useEffect, useMemo, useState } from "react";
import { daemon } from "../api/client.ts";
import type { Agent, SessionDetails, UpdateSession } from "../api/types.ts";
import type { SessionSummary } from "../feed/feed-state.ts";
import { useSteadyFields } from "../ui/use-steady-fields.ts";

export interface Details {
  session: SessionDetails | undefined;
  agent: Agent | undefined;
  update: (change: UpdateSession) => Promise<void>;
}

/** With each of the feed's `snapshots` everything may have changed; what was `said` is a reason to look again, too. */
export function useDetails(id: string, summary: SessionSummary, snapshots: number, said = 0): Details {
  const [session, setSession] = useState<SessionDetails>();
  const [agent, setAgent] = useState<Agent>();
  const { status, title, head } = summary;
  // Without a turn hardly anything is written but changes of the session, also from elsewhere.
  const restingHead = status === "running" ? undefined : head;

  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these is a reason to look again
  useEffect(() => {
    const controller = new AbortController();
    daemon()
      .call("GET /v1/sessions/{id}", { params: { id } }, controller.signal)
      .then(setSession, () => {});
    return () => controller.abort();
  }, [id, status, title, restingHead, snapshots, said]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what could not be loaded is loaded with the next snapshot
  useEffect(() => {
    const controller = new AbortController();
    daemon()
      .call("GET /v1/agents", {}, controller.signal)
      .then(
        ({ agents }) => setAgent(agents.find(({ name }) => name === summary.agent)),
        () => {},
      );
    return () => controller.abort();
  }, [summary.agent, snapshots]);

  const origin = useOrigin(session?.models === undefined ? summary.forkedFrom?.session : undefined);
  // What a fork can choose its own agent tells when it has started.
  const offered = useMemo(
    () => session && origin && { ...session, models: origin.models, modes: session.modes ?? origin.modes },
    [session, origin],
  );

  const update = useCallback(
    async (change: UpdateSession) =>
      setSession(await daemon().call("PATCH /v1/sessions/{id}", { params: { id }, body: change })),
    [id],
  );
  return useSteadyFields({ session: offered ?? session, agent, update });
}

/** The session that a fork began as a copy of, where this person has it. */
function useOrigin(id: string | undefined): SessionDetails | undefined {
  const [origin, setOrigin] = useState<SessionDetails>();
  useEffect(() => {
    setOrigin(undefined);
    if (id === undefined) return;
    const controller = new AbortController();
    daemon()
      .call("GET /v1/sessions/{id}", { params: { id } }, controller.signal)
      .then(setOrigin, () => {});
    return () => controller.abort();
  }, [id]);
  return origin;
}
