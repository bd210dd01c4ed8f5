/** What the states of a session are called for this person: whoever decides nothing is not needed. */
import type { SessionStatus } from "../api/types.ts";
import { STATUS_NAMES } from "../ui/status-dot.tsx";
import { useAccess } from "./use-access.tsx";

const NAMES_OF_GUESTS: typeof STATUS_NAMES = { ...STATUS_NAMES, waiting: "Waiting" };

export function useStatusNames(): Readonly<Record<SessionStatus, string>> {
  return useAccess().canAnswer("permission") ? STATUS_NAMES : NAMES_OF_GUESTS;
}
