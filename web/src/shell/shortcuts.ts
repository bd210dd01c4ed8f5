/**
 * Every key of the page, in one table: what a key does is bound with `useCommand`, the list behind `?` and the command
 * palette show the same names. What fields and cards take as their own keys is listed here too, and bound there.
 */

interface Shortcut {
  /** What it does, as a person would say it. */
  name: string;
  group: ShortcutGroup;
  /** Any of them. `mod` is Command on a Mac and Control elsewhere. */
  keys?: readonly string[];
  /** A field or a card takes the key itself; it cannot be run from elsewhere. */
  isOwn?: true;
  /** Other words that the palette finds it by. */
  words?: string;
}

export const SHORTCUT_GROUPS = ["Anywhere", "Sessions", "This session", "Writing", "Answering"] as const;
export type ShortcutGroup = (typeof SHORTCUT_GROUPS)[number];

const TABLE = {
  palette: { name: "Find or do anything", group: "Anywhere", keys: ["mod+k"] },
  shortcuts: { name: "Keyboard shortcuts", group: "Anywhere", keys: ["?"], words: "help keys" },
  asks: { name: "What waits for you", group: "Anywhere", keys: ["w"], words: "asks permissions questions" },
  sidebar: { name: "List of sessions on or off", group: "Anywhere", keys: ["mod+b"], words: "sidebar" },
  usage: { name: "Usage and cost", group: "Anywhere", keys: ["u"], words: "tokens money charts" },
  phone: { name: "Open on my phone", group: "Anywhere", words: "QR code hand over mobile" },
  "theme-system": { name: "Look: as the system has it", group: "Anywhere", words: "theme" },
  "theme-light": { name: "Look: light", group: "Anywhere", words: "theme" },
  "theme-dark": { name: "Look: dark", group: "Anywhere", words: "theme night" },
  contrast: { name: "High contrast on or off", group: "Anywhere", words: "theme look accessibility" },
  reference: { name: "HTTP API", group: "Anywhere", words: "docs reference" },
  new: { name: "New session", group: "Sessions", keys: ["n"], words: "start agent" },
  search: { name: "Search sessions", group: "Sessions", keys: ["/"], words: "find" },
  next: { name: "Next session", group: "Sessions", keys: ["j"] },
  previous: { name: "Previous session", group: "Sessions", keys: ["k"] },
  choose: { name: "Choose several, in the list", group: "Sessions", keys: ["s"], isOwn: true },
  "rename-row": { name: "Rename, in the list", group: "Sessions", keys: ["F2"], isOwn: true },
  "delete-row": { name: "Delete, in the list", group: "Sessions", keys: ["Delete"], isOwn: true },
  "menu-row": { name: "All actions, in the list", group: "Sessions", keys: ["."], isOwn: true },
  pin: { name: "Pin or unpin", group: "This session", words: "keep top favorite" },
  rename: { name: "Rename", group: "This session", words: "title" },
  archive: { name: "Archive, or back to the list", group: "This session", words: "hide done" },
  fork: { name: "Fork", group: "This session", words: "copy branch duplicate" },
  delete: { name: "Delete", group: "This session", words: "remove trash" },
  write: { name: "Write a prompt", group: "This session", keys: ["i"] },
  stop: { name: "Stop the turn", group: "This session", keys: ["Escape"], isOwn: true },
  files: { name: "Changed files", group: "This session", keys: ["f"], words: "diff undo checkpoint restore" },
  tasks: { name: "Background tasks", group: "This session", keys: ["t"] },
  xray: { name: "X-ray", group: "This session", keys: ["x"], words: "raw events log" },
  invite: { name: "Invite somebody", group: "This session", words: "share link people QR" },
  send: { name: "Send", group: "Writing", keys: ["Enter"], isOwn: true },
  line: { name: "New line", group: "Writing", keys: ["shift+Enter"], isOwn: true },
  steer: { name: "Send into the running turn", group: "Writing", keys: ["mod+Enter"], isOwn: true },
  commands: { name: "Commands of the agent", group: "Writing", keys: ["/"], isOwn: true },
  mention: { name: "Name a file", group: "Writing", keys: ["@"], isOwn: true },
  earlier: { name: "Earlier prompts, in the empty field", group: "Writing", keys: ["ArrowUp"], isOwn: true },
  allow: { name: "Allow", group: "Answering", keys: ["y"], isOwn: true },
  always: { name: "Always allow", group: "Answering", keys: ["a"], isOwn: true },
  deny: { name: "Deny", group: "Answering", keys: ["d"], isOwn: true },
  reason: { name: "Deny with a reason, revise a plan", group: "Answering", keys: ["r"], isOwn: true },
  edit: { name: "Change it before you allow it", group: "Answering", keys: ["e"], isOwn: true },
  option: { name: "Choose an option", group: "Answering", keys: ["1–9"], isOwn: true },
} as const satisfies Record<string, Shortcut>;

export type ShortcutId = keyof typeof TABLE;

export const SHORTCUTS: Readonly<Record<ShortcutId, Shortcut>> = TABLE;

export const SHORTCUT_IDS = Object.keys(TABLE) as ShortcutId[];

type Pressed = Pick<KeyboardEvent, "key" | "metaKey" | "ctrlKey" | "altKey" | "shiftKey">;

/**
 * Whether what was pressed is this key. A character counts by what it is, however it is typed: `?` needs Shift on one
 * keyboard and not on another.
 *
 * @example matchesKey("mod+k", event)
 */
export function matchesKey(key: string, pressed: Pressed): boolean {
  const parts = key.split("+");
  const last = parts.at(-1)!;
  const hasModifier = pressed.metaKey || pressed.ctrlKey;
  if (pressed.altKey || parts.includes("mod") !== hasModifier) return false;
  if (last.length > 1 && parts.includes("shift") !== pressed.shiftKey) return false;
  return parts.includes("mod") ? pressed.key.toLowerCase() === last : pressed.key === last;
}

/** Whether a single character would be written where the focus is. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName))
  );
}
