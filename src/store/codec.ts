/** How text is packed in the store: zstd, named by a number beside the data so that it can change later. */
import { promisify } from "node:util";
import { constants, zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from "node:zlib";

/** The codec of everything written now. */
export const CODEC_ZSTD = 1;

/** Below this the thread pool costs more than it takes off the event loop. */
const INLINE_BYTES = 32 * 1024;

const OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

const compressInBackground = promisify(zstdCompress) as (
  data: Uint8Array,
  options: object,
) => Promise<Uint8Array>;
const decompressInBackground = promisify(zstdDecompress) as (data: Uint8Array) => Promise<Buffer>;

export async function pack(text: string): Promise<Uint8Array> {
  const bytes = Buffer.from(text);
  return bytes.length < INLINE_BYTES
    ? zstdCompressSync(bytes, OPTIONS)
    : compressInBackground(bytes, OPTIONS);
}

export async function unpack(data: Uint8Array, codec: number): Promise<string> {
  if (codec !== CODEC_ZSTD)
    throw new Error(`The data is packed with codec ${codec}, which this version does not know.`);
  const bytes = data.length < INLINE_BYTES ? zstdDecompressSync(data) : await decompressInBackground(data);
  return bytes.toString();
}
