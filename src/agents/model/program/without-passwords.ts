/** A text in which no URL has a user's name or password. */
export function withoutPasswords(text: string): string {
  return text.replaceAll(/([a-z][a-z0-9+.-]*:\/\/)[^\s/?#]*@/gi, "$1");
}
