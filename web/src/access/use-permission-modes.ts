/** The permission modes of an agent that this person may choose. */
import type { Agent } from "../api/types.ts";
import { useAccess } from "./use-access.tsx";

export function usePermissionModes(agent: Agent | undefined): readonly string[] {
  const { can } = useAccess();
  const modes = agent?.capabilities.permissionModes ?? [];
  return can("session.bypass") ? modes : modes.filter((mode) => mode !== "bypass");
}
