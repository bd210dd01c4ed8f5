/** A key as it is printed on the keyboard. */

const NAMES: Readonly<Record<string, string>> = {
  Enter: "↵",
  Escape: "Esc",
  ArrowUp: "↑",
  ArrowDown: "↓",
};

/** The keys that have another name there. */
const MAC_NAMES: Readonly<Record<string, string>> = { ...NAMES, mod: "⌘", shift: "⇧" };
const OTHER_NAMES: Readonly<Record<string, string>> = { ...NAMES, mod: "Ctrl", shift: "Shift" };

export function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.platform);
}

/** @example <Keys keys="mod+k" /> */
export function Keys({ keys }: { keys: string }) {
  const names = isMac() ? MAC_NAMES : OTHER_NAMES;
  return (
    <span className="inline-flex gap-0.5">
      {keys.split("+").map((key) => (
        <kbd
          key={key}
          className="grid h-5 min-w-5 place-items-center rounded border bg-muted px-1 font-mono text-[0.6875rem] text-soft"
        >
          {names[key] ?? key}
        </kbd>
      ))}
    </span>
  );
}
