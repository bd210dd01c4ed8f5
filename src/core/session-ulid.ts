/** A ULID for a session, for client protocols whose ids are ULIDs. Follows from the session's id and time of creation. */

/** Crockford's base 32: no I, L, O or U. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const MAX_TIME = 2 ** 48 - 1;

/**
 * Equal for equal sessions, today and later; it sorts by the time of creation.
 *
 * @example
 * sessionUlid("demo", 1_700_000_000_000).length; // => 26
 */
export function sessionUlid(id: string, createdAt: number): string {
  const time = BigInt(Math.min(Math.max(Math.trunc(createdAt), 0), MAX_TIME));
  return encode(time, 10) + encode(hash80(id), 16);
}

function encode(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest >>= 5n) text = ALPHABET[Number(rest & 31n)] + text;
  return text;
}

/** FNV-1a of 128 bits, folded to 80. Only sessions that were created in the same millisecond can share the result. */
function hash80(text: string): bigint {
  let value = 0x6c62272e07bb014262b821756295c58dn;
  for (let at = 0; at < text.length; at += 1)
    value = BigInt.asUintN(128, (value ^ BigInt(text.charCodeAt(at))) * 0x0000000001000000000000000000013bn);
  return BigInt.asUintN(80, value ^ (value >> 80n));
}
