/** Decides which processes of a listing belong to an agent. Pure. */
import type { ProcessEntry, ProcessIdentity } from "./process-table.ts";

export interface Family {
  /** The agent's own process, leader of its group. */
  readonly leader: ProcessIdentity;
  /** The agent's `INTERLINGUA_OWNER`. Without one, only descent and group count. */
  readonly marker: string | undefined;
}

export interface FamilyOptions {
  /** Members found in an earlier listing. */
  readonly known?: readonly ProcessIdentity[];
  /**
   * Members to leave alone with everything they started. Their marker then says nothing, because their children have
   * the same.
   */
  readonly helpers?: readonly ProcessIdentity[];
}

/**
 * The living members: by group, by marker (a tool that left the group and whose parents are gone still has it) and
 * by descent from any of these or from `known` members (a tool that left the group and cleared its environment).
 */
export function familyMembers(
  entries: readonly ProcessEntry[],
  family: Family,
  { known = [], helpers = [] }: FamilyOptions = {},
): ProcessEntry[] {
  const identities = new Set([family.leader, ...known].map(identityKey));
  const groupIsOurs = groupStillBelongsTo(family.leader, entries);
  const marker = helpers.length > 0 ? undefined : family.marker;
  const members = entries.filter(
    (entry) =>
      identities.has(identityKey(entry)) ||
      (groupIsOurs && entry.group === family.leader.pid) ||
      (marker !== undefined && entry.marker === marker),
  );
  return withDescendants(entries, members, helpers).filter((entry) => !entry.zombie);
}

/** These and all that descend from them, less the `excluded` ones and what descends from those. */
export function withDescendants(
  entries: readonly ProcessEntry[],
  roots: readonly ProcessEntry[],
  excluded: readonly ProcessIdentity[] = [],
): ProcessEntry[] {
  const left = new Set(excluded.map(identityKey));
  const isIncluded = (entry: ProcessEntry) => !left.has(identityKey(entry));
  const found = new Set(roots.filter(isIncluded));
  const childrenOf = Map.groupBy(entries, (entry) => entry.parent);
  // A set also yields what is added during iteration, so this reaches grandchildren.
  for (const member of found)
    for (const child of childrenOf.get(member.pid) ?? []) if (isIncluded(child)) found.add(child);
  return [...found];
}

/** The entries of these processes, without other processes that reuse a pid. */
export function entriesOf(
  entries: readonly ProcessEntry[],
  processes: readonly ProcessIdentity[],
): ProcessEntry[] {
  const identities = new Set(processes.map(identityKey));
  return entries.filter((entry) => identities.has(identityKey(entry)));
}

/**
 * The system does not reuse a pid while a group of that number has members. So if the leader's pid belongs to another
 * process, our group is gone and this one is unrelated.
 */
function groupStillBelongsTo(leader: ProcessIdentity, entries: readonly ProcessEntry[]): boolean {
  const holder = entries.find((entry) => entry.pid === leader.pid);
  return holder === undefined || holder.startTime === leader.startTime;
}

function identityKey(process: ProcessIdentity): string {
  return `${process.pid} ${process.startTime}`;
}
