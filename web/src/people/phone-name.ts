/** The names of the tokens of one's own phones: `Phone`, `Phone 2`, … */
const PHONE = /^Phone(?: \d+)?$/;

export function phonesAmong<Token extends { name: string }>(tokens: readonly Token[]): Token[] {
  return tokens.filter(({ name }) => PHONE.test(name));
}

/** The next one that is free. */
export function phoneName(tokens: readonly { name: string }[]): string {
  const taken = new Set(tokens.map(({ name }) => name.toLowerCase()));
  if (!taken.has("phone")) return "Phone";
  let number = 2;
  while (taken.has(`phone ${number}`)) number += 1;
  return `Phone ${number}`;
}
