/** Paths below the session's directory, without it. Pure. */

/** `text` with the directory taken off every path below it, and a path that is the directory itself as `.`. */
export function withoutDirectory(text: string, cwd: string | undefined): string {
  if (cwd === undefined || cwd.length < 2 || !text.includes(cwd)) return text;
  const base = cwd.endsWith("/") ? cwd : `${cwd}/`;
  const shortened = text.replaceAll(base, "");
  return shortened === cwd ? "." : shortened;
}
