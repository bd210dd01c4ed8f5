/** The code of an invitation: taken from its link, kept for this tab until it is used, gone from the address at once. */

const KEY = "interlingua.invitation";

export function codeInFragment(fragment: string): string | undefined {
  return /^#\/join\/([\w.-]{1,256})$/.exec(fragment)?.[1];
}

/** Moves a code from the address into this tab's storage, so that a reload still has it and the history has not. */
export function takeCodeFromAddress(): void {
  const code = codeInFragment(location.hash);
  if (code === undefined) return;
  sessionStorage.setItem(KEY, code);
  history.replaceState(null, "", location.pathname);
}

export function readCode(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined;
}

export function forgetCode(): void {
  sessionStorage.removeItem(KEY);
}
