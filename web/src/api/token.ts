/**
 * The token of the daemon: taken from the printed link, kept for this tab only, never in an address or a cookie. One that
 * was made for this device alone (`stay=yes` in its link) is kept for the device: it ends by itself and can be ended.
 */

const KEY = "interlingua.token";
const GUEST_KEY = "interlingua.guest";

/** The token after `#token=`; undefined if the fragment has none. */
export function tokenInFragment(fragment: string): string | undefined {
  return valueInFragment(fragment, "token");
}

function valueInFragment(fragment: string, name: string): string | undefined {
  return new URLSearchParams(fragment.replace(/^#/, "")).get(name)?.trim() || undefined;
}

/** A person may paste the bare token or the whole link. */
export function tokenInText(text: string): string | undefined {
  const trimmed = text.trim();
  const hash = trimmed.indexOf("#");
  return (hash >= 0 ? tokenInFragment(trimmed.slice(hash)) : undefined) ?? (trimmed || undefined);
}

/** Moves a token from the address into this tab's storage and cleans the address; a session named beside it is shown. */
export function takeTokenFromAddress(): void {
  const token = tokenInFragment(location.hash);
  if (!token) return;
  const session = valueInFragment(location.hash, "session");
  const isForDevice = valueInFragment(location.hash, "stay") === "yes";
  storeToken(token);
  if (isForDevice) localStorage.setItem(KEY, token);
  history.replaceState(null, "", `${location.pathname}${session ? `#/sessions/${session}` : ""}`);
}

export function readToken(): string | undefined {
  return sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY) ?? undefined;
}

export function storeToken(token: string): void {
  sessionStorage.setItem(KEY, token);
  sessionStorage.removeItem(GUEST_KEY);
}

/** Notes that the token of this tab was given to somebody: it may be revoked, and expires. */
export function rememberGuest(): void {
  sessionStorage.setItem(GUEST_KEY, "yes");
}

/** Whether the last token of this tab was that of a guest, also when it is forgotten by now. */
export function isGuest(): boolean {
  return sessionStorage.getItem(GUEST_KEY) !== null;
}

export function forgetGuest(): void {
  sessionStorage.removeItem(GUEST_KEY);
}

export function forgetToken(): void {
  if (localStorage.getItem(KEY) === readToken()) localStorage.removeItem(KEY);
  sessionStorage.removeItem(KEY);
}
