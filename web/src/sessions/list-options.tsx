/** How the list is shown: grouped by what, which sessions, and choosing several. */
import { Archive, ListFilter, SquareCheck } from "lucide-react";
import { useAccess } from "../access/use-access.tsx";
import { IconButton } from "../ui/button.tsx";
import { Menu, MenuChoices, MenuItem, MenuLine } from "../ui/menu.tsx";
import type { Grouping } from "./group-sessions.ts";

interface ListOptionsProps {
  grouping: Grouping;
  onGroup: (grouping: Grouping) => void;
  onArchived: () => void;
  onChoose: () => void;
}

const GROUPING_NAMES: readonly { value: Grouping; name: string }[] = [
  { value: "state", name: "State" },
  { value: "directory", name: "Directory" },
];

export function ListOptions({ grouping, onGroup, onArchived, onChoose }: ListOptionsProps) {
  const { can } = useAccess();
  return (
    <Menu trigger={<IconButton icon={ListFilter} label="List options" title="List options" />}>
      <MenuChoices label="Group by" value={grouping} choices={GROUPING_NAMES} onChoose={onGroup} />
      <MenuLine />
      <MenuItem icon={<Archive />} onSelect={onArchived} name="Archived sessions" />
      {can("session.settings") && (
        <MenuItem icon={<SquareCheck />} onSelect={onChoose} name="Select several" />
      )}
    </Menu>
  );
}
