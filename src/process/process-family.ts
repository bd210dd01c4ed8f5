/** Which processes belong to an agent. Pure: it looks at a listing and decides. */
import type { ProcessEntry, ProcessIdentity } from "./process-table.ts";

export interface Family {
  /** The agent's own process, leader of its group. */
  readonly leader: ProcessIdentity;
  /** The value of `INTERLINGUA_OWNER` the agent was started with; without one, only blood and group count. */
  readonly marker: string | undefined;
}

/**
 * The living members: by group, by marker (a tool that left the group and whose parents are gone still has it) and
 * by descent from any of these or from `known` members (a tool that left the group and cleared its environment).
 */
export function familyMembers(
  entries: readonly ProcessEntry[],
  family: Family,
  known: readonly ProcessIdentity[] = [],
): ProcessEntry[] {
  const identities = new Set([family.leader, ...known].map(identityKey));
  const groupIsOurs = groupStillBelongsTo(family.leader, entries);
  const members = new Set(
    entries.filter(
      (entry) =>
        identities.has(identityKey(entry)) ||
        (groupIsOurs && entry.group === family.leader.pid) ||
        (family.marker !== undefined && entry.marker === family.marker),
    ),
  );
  const childrenOf = Map.groupBy(entries, (entry) => entry.parent);
  // A set hands out what is added to it during the walk, so this reaches grandchildren too.
  for (const member of members) for (const child of childrenOf.get(member.pid) ?? []) members.add(child);
  return [...members].filter((entry) => !entry.zombie);
}

/**
 * The system does not give a pid out again while a group of that number has members. So a leader's pid in other
 * hands means that our group died out and this one is a stranger's.
 */
function groupStillBelongsTo(leader: ProcessIdentity, entries: readonly ProcessEntry[]): boolean {
  const holder = entries.find((entry) => entry.pid === leader.pid);
  return holder === undefined || holder.startTime === leader.startTime;
}

function identityKey(process: ProcessIdentity): string {
  return `${process.pid} ${process.startTime}`;
}
