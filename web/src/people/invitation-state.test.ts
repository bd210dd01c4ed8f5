import { expect, test } from "vitest";
import type { Invitation } from "../api/types.ts";
import { invitationState } from "./invitation-state.ts";

const MINUTE_MS = 60_000;

function invitation(more: Partial<Invitation>): Invitation {
  return {
    id: "i",
    session: "s",
    role: "observer",
    createdAt: 0,
    createdBy: "owner",
    expiresAt: 90 * MINUTE_MS,
    ...more,
  };
}

test.each([
  [{}, 0, "Not used yet; works for another 2 h"],
  [{}, 60 * MINUTE_MS, "Not used yet; works for another 30 min"],
  [{}, 89.9 * MINUTE_MS, "Not used yet; works for another 1 min"],
  [{}, 90 * MINUTE_MS, "Expired without being used"],
  [{ usedAt: 10 * MINUTE_MS }, 10 * MINUTE_MS, "Used just now"],
  [{ usedAt: 10 * MINUTE_MS }, 200 * MINUTE_MS, "Used 3h ago"],
])("%j at %i: %s", (more, now, text) => expect(invitationState(invitation(more), now)).toBe(text));
