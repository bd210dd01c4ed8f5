/** Told whenever somebody is refused for want of a right. */
import type { Principal } from "../../core/principal.ts";
import type { Right } from "../../core/rights.ts";
import type { AuditSink } from "../people/audit-sink.ts";

/** Must not throw. */
export type OnRefused = (by: Principal, right: Right, session?: string) => void;

const MAX_ID_LENGTH = 128;

export function refusalsTo(sink: AuditSink, now: () => number = Date.now): OnRefused {
  return ({ name, dialect, access }, action, session) =>
    sink.note({
      at: now(),
      by: name,
      role: access.role,
      dialect,
      action,
      outcome: "refused",
      code: "forbidden",
      ...(access.token !== undefined && { token: access.token }),
      ...(session !== undefined && { session: session.slice(0, MAX_ID_LENGTH) }),
    });
}
