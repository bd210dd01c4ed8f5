/** Whether a name in the log is that of a token, whichever client it was used with: `ada` is also `ada (phone)`. */
export function isNamed(by: string, name: string): boolean {
  return by === name || by.startsWith(`${name} (`);
}
