/** Compresses text for the store: zstd or nothing, named by a number beside the data so that it can change later. */
import { promisify } from "node:util";
import { constants, zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from "node:zlib";
import { DamagedDataError } from "./damaged-data.ts";

const CODEC_ZSTD = 1;
const CODEC_PLAIN = 2;

export interface Packed {
  readonly codec: number;
  readonly data: Uint8Array;
}

/**
 * Below this size the thread pool costs more than it saves. A block is packed faster than its commit, and on the thread
 * pool it would take more than twice the work.
 */
const INLINE_BYTES = 512 * 1024;

const LEVEL = { [constants.ZSTD_c_compressionLevel]: 1 };

type InBackground = (data: Uint8Array, options: object) => Promise<Buffer>;
const compressInBackground = promisify(zstdCompress) as InBackground;
const decompressInBackground = promisify(zstdDecompress) as InBackground;

/** Text of fewer bytes than `plainBelow` is left as it is. */
export async function pack(text: string | Buffer, plainBelow = 0): Promise<Packed> {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  if (bytes.length < plainBelow) return { codec: CODEC_PLAIN, data: bytes };
  if (bytes.length < INLINE_BYTES) return packBytes(bytes);
  return { codec: CODEC_ZSTD, data: await compressInBackground(bytes, packOptions(bytes)) };
}

/** Synchronous, for use inside a transaction; only for text of about a block's size. */
export function packNow(text: string): Packed {
  return packBytes(Buffer.from(text));
}

function packBytes(bytes: Buffer): Packed {
  return { codec: CODEC_ZSTD, data: zstdCompressSync(bytes, packOptions(bytes)) };
}

/** Throws a `DamagedDataError` for data that `pack` cannot have made; `what` is the subject of its sentence. */
export async function unpack(data: Uint8Array, codec: number, what: string): Promise<string> {
  return (await unpackBytes(data, codec, what)).toString();
}

/** As `unpack`, for what need not be text. */
export async function unpackBytes(data: Uint8Array, codec: number, what: string): Promise<Buffer> {
  if (codec === CODEC_PLAIN) return Buffer.from(data);
  if (codec !== CODEC_ZSTD) {
    throw new DamagedDataError(`${what} is packed with codec ${codec}, which this version does not know`);
  }
  try {
    return await decompress(data);
  } catch (error) {
    throw new DamagedDataError(`${what} cannot be unpacked (${(error as Error).message})`, { cause: error });
  }
}

async function decompress(data: Uint8Array): Promise<Buffer> {
  // Most of our text compresses tenfold. What compresses much better goes to the thread pool.
  const expected = 10 * data.length;
  if (expected < INLINE_BYTES) {
    try {
      return zstdDecompressSync(data, { chunkSize: chunkSize(expected), maxOutputLength: INLINE_BYTES });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_BUFFER_TOO_LARGE") throw error;
    }
  }
  return decompressInBackground(data, { chunkSize: chunkSize(INLINE_BYTES) });
}

function packOptions(bytes: Uint8Array) {
  return { params: LEVEL, chunkSize: chunkSize(bytes.length) };
}

/** The chunk size of zlib: small for short text, and few rounds for long text. */
function chunkSize(bytes: number): number {
  return Math.min(Math.max(bytes, 1024), 256 * 1024);
}
