/** A text in which no URL has a user's name or password. */
export function withoutPasswords(text: string): string {
  // The scheme before it is only looked back at: to match it takes the square of the length of a long word.
  return text.replaceAll(/(?<=[a-z0-9+.-]:\/\/)[^\s/?#]*@/gi, "");
}
