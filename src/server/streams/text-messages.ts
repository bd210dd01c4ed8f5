/** Texts as messages of a WebSocket, in the bytes that a server sends: encoded once, and written to every socket as they are. */

/** A whole message of text. */
const TEXT = 0x81;

export function textMessages(texts: readonly string[]): Buffer {
  const lengths = texts.map((text) => Buffer.byteLength(text));
  const total = lengths.reduce((sum, length) => sum + headLength(length) + length, 0);
  const bytes = Buffer.allocUnsafe(total);
  let at = 0;
  for (const [index, text] of texts.entries()) {
    at = writeHead(bytes, at, lengths[index]!);
    at += bytes.write(text, at, "utf8");
  }
  return bytes;
}

function headLength(length: number): number {
  if (length < 126) return 2;
  return length < 65_536 ? 4 : 10;
}

/** Returns where the text begins. */
function writeHead(bytes: Buffer, at: number, length: number): number {
  bytes[at] = TEXT;
  if (length < 126) {
    bytes[at + 1] = length;
    return at + 2;
  }
  bytes[at + 1] = length < 65_536 ? 126 : 127;
  if (length < 65_536) return bytes.writeUInt16BE(length, at + 2);
  return bytes.writeBigUInt64BE(BigInt(length), at + 2);
}
