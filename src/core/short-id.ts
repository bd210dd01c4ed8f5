/** Shortens the ids of agents: short ones stay as they are, a long one becomes a unique short one. */

/** No known agent uses longer ids. */
export const MAX_ID_LENGTH = 512;

/** How much of a long id is read from either end. Ids of equal length that differ only in between count as one. */
const SAMPLE = 32 * 1024;

/** The beginning of the id, its length and its hash. Deterministic. */
export function shortId(id: string): string {
  if (id.length <= MAX_ID_LENGTH) return id;
  return `${id.slice(0, 64)}…${id.length}:${hash(id.slice(0, SAMPLE))}${hash(id.slice(-SAMPLE))}`;
}

/** FNV-1a. An agent that constructs a collision harms only itself. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return (value >>> 0).toString(16).padStart(8, "0");
}
