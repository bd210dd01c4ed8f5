/** What the command line says of an error: one line, with the command or setting that helps. */

/** Where a refusal speaks of a list, the command that prints it. */
const LISTS: Readonly<Record<string, string>> = {
  session_not_found: "interlingua sessions",
  ask_not_found: "interlingua asks",
};

export function explainError(error: unknown, environment: NodeJS.ProcessEnv): string {
  const message = (error instanceof Error ? error.message : String(error)).replace(/\s*\n\s*/g, " ");
  const { code } = (error ?? {}) as { code?: unknown };
  if (code === "unauthorized") return refusedToken(environment);
  if (code === "unreachable") return `${message}. interlingua doctor looks for the cause.`;
  const list = LISTS[String(code)];
  return list === undefined || message.includes(list) ? message : `${message.replace(/\.$/, "")}: ${list}`;
}

function refusedToken({ INTERLINGUA_TOKEN, INTERLINGUA_URL }: NodeJS.ProcessEnv): string {
  if (INTERLINGUA_TOKEN?.trim())
    return "The daemon does not take the token in INTERLINGUA_TOKEN. Set the one of the link that serve printed, or unset it: without it the token file of the data directory is read. One that was made for you may be mistyped, revoked or expired: ask whoever gave it to you.";
  if (INTERLINGUA_URL?.trim())
    return "The daemon does not take the token in INTERLINGUA_URL. Set the whole link that serve printed. One that was made for you may be mistyped, revoked or expired: ask whoever gave it to you.";
  return "The daemon does not take the token of its token file: it has changed since the start. Set INTERLINGUA_TOKEN to the one of the link that serve printed, or start the daemon again.";
}
