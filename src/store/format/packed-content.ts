/** A packed value of a row: its bytes, how they are packed, and the checksum over both and the row's identity. */
import { type Packed, unpack } from "../codec.ts";
import { DamagedDataError } from "../damaged-data.ts";
import { assertContent, type Checksum, contentChecksum } from "./checksum.ts";

export interface StoredContent {
  codec: number;
  data: Uint8Array;
  checksum: Checksum;
}

type Place = readonly (string | number)[];

export function packedChecksum({ codec, data }: Packed, place: Place): number {
  return contentChecksum(data, `${codec} ${place.join(" ")}`);
}

/** Throws if it is not what was stored here. */
export async function unpackContent(stored: StoredContent, what: string, place: Place): Promise<string> {
  const { checksum, codec, data } = stored;
  assertContent(checksum, what, data, "blob", `${codec} ${place.join(" ")}`);
  return unpack(data, codec, what);
}

/** For blocks and raw records. Some of early databases have no checksum, and are read as they are. */
export async function unpackOldContent(stored: StoredContent, what: string, place: Place): Promise<string> {
  if (stored.checksum !== null) return unpackContent(stored, what, place);
  const { codec, data } = stored;
  if (!(data instanceof Uint8Array)) throw new DamagedDataError(`${what} is no blob`);
  return unpack(data, codec, what);
}
