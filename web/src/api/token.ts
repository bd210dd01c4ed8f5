/** The token of the daemon: taken from the printed link, kept for this tab only, never in an address or a cookie. */

const KEY = "interlingua.token";

/** The token after `#token=`; undefined if the fragment has none. */
export function tokenInFragment(fragment: string): string | undefined {
  const token = new URLSearchParams(fragment.replace(/^#/, "")).get("token");
  return token?.trim() || undefined;
}

/** A person may paste the bare token or the whole link. */
export function tokenInText(text: string): string | undefined {
  const trimmed = text.trim();
  const hash = trimmed.indexOf("#");
  return (hash >= 0 ? tokenInFragment(trimmed.slice(hash)) : undefined) ?? (trimmed || undefined);
}

/** Moves a token from the address into this tab's storage and cleans the address. */
export function takeTokenFromAddress(): void {
  const token = tokenInFragment(location.hash);
  if (!token) return;
  storeToken(token);
  history.replaceState(null, "", location.pathname);
}

export function readToken(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined;
}

export function storeToken(token: string): void {
  sessionStorage.setItem(KEY, token);
}

export function forgetToken(): void {
  sessionStorage.removeItem(KEY);
}
