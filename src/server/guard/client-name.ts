/** Who is named as the author of a command. */

/** The name of the token. A client may add its own, such as `phone`. */
export function clientName(holder: string, header: string | undefined): string {
  const name = header
    ?.replace(/[^\w .@-]/g, "")
    .trim()
    .slice(0, 64);
  return name ? `${holder} (${name})` : holder;
}
