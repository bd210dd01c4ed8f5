/** Files of the page as they are sent: compressed once, when a browser first asks, and kept in memory. */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** In the order we prefer. */
export const ENCODINGS = ["br", "gzip"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Less is one packet either way. */
const MIN_COMPRESSED_BYTES = 1024;
/** Both encodings of a few builds. The oldest go first. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024;
/** Somebody waits the first time: more would be a few percent smaller and take many times as long. */
const BROTLI_QUALITY = 5;

const COMPRESS: Record<Encoding, (content: NonSharedBuffer) => Promise<NonSharedBuffer>> = {
  br: (content) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength,
      },
    }),
  gzip: (content) => promisify(gzip)(content),
};

export interface SentFile {
  content: NonSharedBuffer;
  /** Absent when it is sent as it is. */
  encoding?: Encoding;
  /** Equal for all encodings of a content, so it is a weak one. */
  etag: string;
}

export class CompressedFiles {
  /** By content and encoding, in the order they were made. */
  readonly #kept = new Map<string, NonSharedBuffer>();
  /** Those that are being made. */
  readonly #making = new Map<string, Promise<NonSharedBuffer>>();
  #keptBytes = 0;

  async send(content: NonSharedBuffer, encoding: Encoding | undefined): Promise<SentFile> {
    const digest = createHash("sha256").update(content).digest("base64url");
    const etag = `W/"${digest}"`;
    if (!encoding || content.byteLength < MIN_COMPRESSED_BYTES) return { content, etag };
    const compressed = await this.#compressed(`${encoding} ${digest}`, () => COMPRESS[encoding](content));
    return { content: compressed, encoding, etag };
  }

  async #compressed(key: string, make: () => Promise<NonSharedBuffer>): Promise<NonSharedBuffer> {
    const known = this.#kept.get(key) ?? this.#making.get(key);
    if (known) return known;
    const making = make();
    this.#making.set(key, making);
    try {
      const made = await making;
      this.#keep(key, made);
      return made;
    } finally {
      this.#making.delete(key);
    }
  }

  #keep(key: string, made: NonSharedBuffer): void {
    this.#kept.set(key, made);
    this.#keptBytes += made.byteLength;
    for (const [oldest, { byteLength }] of this.#kept) {
      if (this.#keptBytes <= MAX_KEPT_BYTES) return;
      this.#kept.delete(oldest);
      this.#keptBytes -= byteLength;
    }
  }
}
