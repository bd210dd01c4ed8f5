/** Which URLs of an agent's output may appear in the page. Pure. */

const LINK_PROTOCOLS = new Set(["http:", "https:", "mailto:"]);

/** The URL if a person may follow it; never one that runs code. */
export function safeLink(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  return LINK_PROTOCOLS.has(new URL(url).protocol) ? url : undefined;
}

/** Only embedded pictures are shown; loading one would reveal that this is read. */
export function safeImage(url: string): string | undefined {
  return /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/.test(url) ? url : undefined;
}
