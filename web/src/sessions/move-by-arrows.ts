/** Arrows move the focus between the rows of the list. */
import type { KeyboardEvent } from "react";

export function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const row = (event.target as HTMLElement).closest("li");
  if (by === undefined || !row || event.altKey || event.ctrlKey || event.metaKey) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("li :is(a, label input, h3 button)")];
  const next = rows[rows.findIndex((one) => row.contains(one)) + by];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
