/** What the command line says of an error: one line, with the command or setting that helps. */

/** Where a refusal speaks of a list, the command that prints it. */
const LISTS: Readonly<Record<string, string>> = {
  session_not_found: "interlingua sessions",
  ask_not_found: "interlingua asks",
};

/** What an address was answered with that no daemon gave: there is no problem document. */
const FROM_PROXY = new Set([502, 503, 504]);

/** What a command was told of the daemon to talk to. */
export interface GivenAddress {
  readonly environment: NodeJS.ProcessEnv;
  /** Whether `--url` names it. */
  readonly hasUrlFlag: boolean;
}

export function explainError(error: unknown, given: GivenAddress): string {
  const message = (error instanceof Error ? error.message : String(error)).replace(/\s*\n\s*/g, " ");
  const { code, status } = (error ?? {}) as { code?: unknown; status?: unknown };
  if (code === "unauthorized") return refusedToken(given);
  if (code === "internal" && FROM_PROXY.has(Number(status)))
    return `${message}. A load balancer or proxy gave this answer: it reaches no node that is ready. Try again in a moment, or name a node itself with --url; its GET /v1/health/ready says what it waits for.`;
  if (code === "unreachable") return `${message}. interlingua doctor looks for the cause.`;
  const list = LISTS[String(code)];
  return list === undefined || message.includes(list) ? message : `${message.replace(/\.$/, "")}: ${list}`;
}

function refusedToken({ environment, hasUrlFlag }: GivenAddress): string {
  const { INTERLINGUA_TOKEN, INTERLINGUA_URL } = environment;
  const asked = "One that was made for you may be mistyped, revoked or expired: ask whoever gave it to you.";
  if (INTERLINGUA_TOKEN?.trim()) {
    // Where the address is named, no data directory is looked at.
    const remedy =
      hasUrlFlag || INTERLINGUA_URL?.trim()
        ? "Set the one of the link that serve printed."
        : "Set the one of the link that serve printed, or unset it: without it the token file of the data directory is read.";
    return `The daemon does not take the token in INTERLINGUA_TOKEN. ${remedy} ${asked}`;
  }
  if (INTERLINGUA_URL?.trim())
    return `The daemon does not take the token in INTERLINGUA_URL. Set the whole link that serve printed. ${asked}`;
  return "The daemon does not take the token of its token file: it has changed since the start. Set INTERLINGUA_TOKEN to the one of the link that serve printed, or start the daemon again.";
}
