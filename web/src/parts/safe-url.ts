/** Which addresses of an agent's output may stand in the page. Pure. */

const LINK_PROTOCOLS = new Set(["http:", "https:", "mailto:"]);

/** The address when a person may follow it; never one that runs anything. */
export function safeLink(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  return LINK_PROTOCOLS.has(new URL(url).protocol) ? url : undefined;
}

/** Only pictures that are already here are shown; loading one would tell others that this is read. */
export function safeImage(url: string): string | undefined {
  return /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/=]+$/.test(url) ? url : undefined;
}
