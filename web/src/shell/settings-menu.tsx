/** What a person sets once for this browser: the look and notifications; and where the keys are listed. */
import { Bell, BellOff, Check, Contrast, Keyboard, Moon, Settings, Sun, SunMoon } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { useNotificationSetting } from "../notices/use-notification-setting.ts";
import { IconButton } from "../ui/button.tsx";
import { Keys } from "../ui/keys.tsx";
import { Menu, MenuLine } from "../ui/menu.tsx";
import { type Theme, useLook } from "../ui/theme.ts";
import { useCommands } from "./use-command.tsx";

const THEMES = [
  { id: "system", name: "As the system", Icon: SunMoon },
  { id: "light", name: "Light", Icon: Sun },
  { id: "dark", name: "Dark", Icon: Moon },
] as const;

const ITEM =
  "flex h-8 cursor-default select-none items-center gap-2 rounded-md px-2 text-[0.8125rem] outline-none data-disabled:opacity-45 data-highlighted:bg-hover touch:h-10 [&_svg]:size-3.5";

const LABEL = "px-2 pt-1.5 pb-1 font-medium text-2xs text-muted-foreground";

/** `onOpen` is called when something else is opened from it. */
export function SettingsMenu({ onOpen }: { onOpen: () => void }) {
  const { theme, isHighContrast, setTheme, setHighContrast } = useLook();
  const commands = useCommands();
  return (
    <Menu className="min-w-56" trigger={<IconButton icon={Settings} label="Settings" title="Settings" />}>
      <DropdownMenu.Label className={LABEL}>Look</DropdownMenu.Label>
      <DropdownMenu.RadioGroup value={theme} onValueChange={(chosen) => setTheme(chosen as Theme)}>
        {THEMES.map(({ id, name, Icon }) => (
          <DropdownMenu.RadioItem key={id} value={id} className={ITEM}>
            <Icon aria-hidden="true" />
            <span className="flex-1">{name}</span>
            <Marked />
          </DropdownMenu.RadioItem>
        ))}
      </DropdownMenu.RadioGroup>
      <DropdownMenu.CheckboxItem
        checked={isHighContrast}
        onCheckedChange={setHighContrast}
        // Whoever tries it out is not done with the menu.
        onSelect={(event) => event.preventDefault()}
        className={ITEM}
      >
        <Contrast aria-hidden="true" />
        <span className="flex-1">High contrast</span>
        <Marked />
      </DropdownMenu.CheckboxItem>
      <Notifications />
      <MenuLine />
      <DropdownMenu.Item
        className={ITEM}
        onSelect={() => {
          onOpen();
          commands.run("shortcuts");
        }}
      >
        <Keyboard aria-hidden="true" />
        <span className="flex-1">Keyboard shortcuts</span>
        <Keys keys="?" />
      </DropdownMenu.Item>
    </Menu>
  );
}

/** The browser asks the person only when this is pressed. */
function Notifications() {
  const [state, turn] = useNotificationSetting();
  if (state === "unavailable") return null;
  return (
    <>
      <MenuLine />
      <DropdownMenu.Label className={LABEL}>Notifications</DropdownMenu.Label>
      <DropdownMenu.CheckboxItem
        checked={state === "on"}
        disabled={state === "blocked"}
        onCheckedChange={turn}
        onSelect={(event) => event.preventDefault()}
        className={ITEM}
      >
        {state === "blocked" ? <BellOff aria-hidden="true" /> : <Bell aria-hidden="true" />}
        <span className="flex-1">
          {state === "blocked" ? "Blocked by this browser" : "When something waits or is done"}
        </span>
        <Marked />
      </DropdownMenu.CheckboxItem>
    </>
  );
}

function Marked(): ReactNode {
  return (
    <DropdownMenu.ItemIndicator>
      <Check aria-hidden="true" />
    </DropdownMenu.ItemIndicator>
  );
}
