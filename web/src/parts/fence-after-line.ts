/** Which code of Markdown is open after a line. Pure. */

/** `fence` is the opening line of the code that is open before `line`, or empty; so is the result. */
export function fenceAfterLine(fence: string, line: string): string {
  const found = /^ {0,3}(`{3,40}|~{3,40})([^\n]{0,80})/.exec(line);
  if (!found) return fence;
  const [, mark = "", info = ""] = found;
  if (fence === "") return mark.startsWith("`") && info.includes("`") ? "" : `${mark}${info.trimEnd()}`;
  const open = fenceMark(fence);
  return mark.startsWith(open) && info.trim() === "" ? "" : fence;
}

/** What closes a fence. */
export function fenceMark(fence: string): string {
  return /^[`~]+/.exec(fence)?.[0] ?? "";
}
