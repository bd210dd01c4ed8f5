/** The list as the rows that are rendered: headings and sessions in one flat order, so that only those in sight have to be. Pure. */
import type { ListedRow } from "./fork-tree.ts";
import type { SessionGroup } from "./group-sessions.ts";

export type ListItem =
  | { kind: "group"; key: string; group: SessionGroup; isCollapsed: boolean }
  | ({ kind: "session"; key: string; group: SessionGroup } & ListedRow);

export function listItems(groups: readonly SessionGroup[], collapsed: ReadonlySet<string>): ListItem[] {
  return groups.flatMap((group): ListItem[] => {
    const isCollapsed = collapsed.has(group.key);
    const heading: ListItem = { kind: "group", key: `group ${group.key}`, group, isCollapsed };
    if (isCollapsed) return [heading];
    const rows = group.rows.map(
      (row): ListItem => ({ kind: "session", key: row.session.session, group, ...row }),
    );
    return [heading, ...rows];
  });
}
