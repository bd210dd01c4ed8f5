/** Whether a host is this machine itself, so that nobody else can listen to what goes there. Pure. */

const IPV4 = /^127(\.(25[0-5]|2[0-4]\d|1?\d{1,2})){3}$/;

/** @param host A name or an address, as in a URL or without the brackets. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, "");
  return name === "localhost" || name === "::1" || IPV4.test(name);
}
