/** Text as HTML: escaped, so that nothing in it is markup. */
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);
}

export function code(text: string): string {
  return `<code>${escapeHtml(text)}</code>`;
}

/** A description: what stands in backticks is code. */
export function prose(text = ""): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}
