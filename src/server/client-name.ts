/** Who is named as the author of an answer or a stop. */

const OWNER = "owner";

/** Whoever holds the token is the owner. A client may add a name, such as `phone`. */
export function clientName(header: string | undefined): string {
  const name = header
    ?.replace(/[^\w .@-]/g, "")
    .trim()
    .slice(0, 64);
  return name ? `${OWNER} (${name})` : OWNER;
}
