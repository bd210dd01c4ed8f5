/** To the next or the former row of the list, in the order they are shown. */
export function moveBetweenSessions(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("aside [data-session]")];
  const current = rows.findIndex((row) => row.ariaCurrent === "page");
  const row = rows[Math.max(0, Math.min(rows.length - 1, current + by))];
  // With the focus on the row the next key moves on; the composer would take it.
  row?.focus();
  row?.click();
}
