/** The text of a body, by the character set that it, its head or its first bytes name. */

export interface BodyText {
  readonly text: string;
  readonly encoding: string;
}

const META = /<meta[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?([\w-]{1,40})/i;

export function decodeBody(bytes: Buffer, contentType: string): BodyText {
  const named = /;\s{0,9}charset\s{0,9}=\s{0,9}"?([\w-]{1,40})/i.exec(contentType)?.[1];
  const decoder =
    decoderOf(byteOrderMark(bytes)) ??
    decoderOf(named) ??
    decoderOf(META.exec(bytes.subarray(0, 2048).toString("latin1"))?.[1]) ??
    new TextDecoder();
  return { text: decoder.decode(bytes), encoding: decoder.encoding };
}

function byteOrderMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

/** Undefined for a name that nobody knows. */
function decoderOf(name: string | undefined): InstanceType<typeof TextDecoder> | undefined {
  try {
    return name === undefined ? undefined : new TextDecoder(name);
  } catch {
    return undefined;
  }
}
