/** Light, dark or as the system has it, and high contrast. */
import { Check, Contrast, Moon, Sun, SunMoon } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { type Theme, useLook } from "../ui/theme.ts";

const THEMES = [
  { id: "system", name: "As the system", Icon: SunMoon },
  { id: "light", name: "Light", Icon: Sun },
  { id: "dark", name: "Dark", Icon: Moon },
] as const;

const ITEM =
  "flex h-8 cursor-default select-none items-center gap-2 rounded-md px-2 text-[0.8125rem] outline-none data-highlighted:bg-hover touch:h-10 [&_svg]:size-3.5";

export function LookMenu() {
  const { theme, isHighContrast, setTheme, setHighContrast } = useLook();
  const { Icon, name } = THEMES.find(({ id }) => id === theme)!;
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <Button look="ghost" size="icon" aria-label={`Look: ${name.toLowerCase()}`} title="Look">
          <Icon />
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          className="z-50 min-w-44 rounded-lg bg-raised p-1 shadow-pop animate-rise"
        >
          <DropdownMenu.RadioGroup value={theme} onValueChange={(chosen) => setTheme(chosen as Theme)}>
            {THEMES.map(({ id, name, Icon }) => (
              <DropdownMenu.RadioItem key={id} value={id} className={ITEM}>
                <Icon aria-hidden="true" />
                <span className="flex-1">{name}</span>
                <Marked />
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className="my-1 h-px bg-border" />
          <DropdownMenu.CheckboxItem
            checked={isHighContrast}
            onCheckedChange={setHighContrast}
            className={ITEM}
          >
            <Contrast aria-hidden="true" />
            <span className="flex-1">High contrast</span>
            <Marked />
          </DropdownMenu.CheckboxItem>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function Marked(): ReactNode {
  return (
    <DropdownMenu.ItemIndicator>
      <Check aria-hidden="true" />
    </DropdownMenu.ItemIndicator>
  );
}
