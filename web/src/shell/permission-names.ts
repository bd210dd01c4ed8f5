/** What the permission modes mean to a person. */
export const PERMISSION_NAMES: Readonly<Record<string, string>> = {
  default: "Ask before acting",
  plan: "Plan only",
  acceptEdits: "Allow edits",
  bypass: "Allow everything",
};
