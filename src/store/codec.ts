/** How text is packed in the store: zstd, named by a number beside the data so that it can change later. */
import { promisify } from "node:util";
import { constants, zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from "node:zlib";

/** The codec of everything written now. */
export const CODEC_ZSTD = 1;

/**
 * Below this the thread pool costs more than it takes off the event loop. A block is packed in less time than its
 * commit takes, and in the background that would be more than twice the work.
 */
const INLINE_BYTES = 512 * 1024;

const LEVEL = { [constants.ZSTD_c_compressionLevel]: 3 };

type InBackground = (data: Uint8Array, options: object) => Promise<Buffer>;
const compressInBackground = promisify(zstdCompress) as InBackground;
const decompressInBackground = promisify(zstdDecompress) as InBackground;

export async function pack(text: string): Promise<Uint8Array> {
  const bytes = Buffer.from(text);
  const options = { params: LEVEL, chunkSize: chunkSize(bytes.length) };
  return bytes.length < INLINE_BYTES
    ? zstdCompressSync(bytes, options)
    : compressInBackground(bytes, options);
}

export async function unpack(data: Uint8Array, codec: number): Promise<string> {
  if (codec !== CODEC_ZSTD) {
    throw new Error(`The data is packed with codec ${codec}, which this version does not know.`);
  }
  // Most of our text gets ten times smaller.
  const options = { chunkSize: chunkSize(10 * data.length) };
  const bytes =
    10 * data.length < INLINE_BYTES
      ? zstdDecompressSync(data, options)
      : await decompressInBackground(data, options);
  return bytes.toString();
}

/** How much memory zlib takes at a time: not a lot for little, and few rounds for much. */
function chunkSize(bytes: number): number {
  return Math.min(Math.max(bytes, 1024), 256 * 1024);
}
