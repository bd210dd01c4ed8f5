/** SHA-256 of a short text, at once and without I/O: browsers only offer it with a promise, and Node's own is not theirs. */

const ENCODER = new TextEncoder();

/** The first 32 bits of the fractional parts of the roots of the first primes: cube roots, and square roots to start with. */
const [ROUND, START] = roots();

/** The 32 bytes, as eight words. */
export function sha256(text: string): Uint32Array {
  const words = padded(ENCODER.encode(text));
  const hash = START.slice();
  const schedule = new Uint32Array(64);
  for (let block = 0; block < words.length; block += 16) compress(hash, schedule, words, block);
  return hash;
}

/** With the one bit, zeros, and the length in bits. */
function padded(bytes: Uint8Array): Uint32Array {
  const blocks = Math.ceil((bytes.length + 9) / 64);
  const words = new Uint32Array(blocks * 16);
  for (let at = 0; at < bytes.length; at += 1) words[at >> 2]! |= bytes[at]! << (24 - (at & 3) * 8);
  words[bytes.length >> 2]! |= 0x80 << (24 - (bytes.length & 3) * 8);
  words[words.length - 2] = Math.floor(bytes.length / 0x2000_0000);
  words[words.length - 1] = bytes.length << 3;
  return words;
}

function compress(hash: Uint32Array, w: Uint32Array, words: Uint32Array, block: number): void {
  for (let at = 0; at < 16; at += 1) w[at] = words[block + at]!;
  for (let at = 16; at < 64; at += 1) {
    const early = w[at - 15]!;
    const late = w[at - 2]!;
    const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    w[at] = w[at - 16]! + s0 + w[at - 7]! + s1;
  }
  let [a, b, c, d, e, f, g, h] = hash as unknown as Eight;
  for (let at = 0; at < 64; at += 1) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + s1 + ((e & f) ^ (~e & g)) + ROUND[at]! + w[at]!) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  const after = [a, b, c, d, e, f, g, h];
  for (let at = 0; at < 8; at += 1) hash[at]! += after[at]!;
}

type Eight = [number, number, number, number, number, number, number, number];

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function roots(): [Uint32Array, Uint32Array] {
  const fraction = (root: number) => Math.floor((root - Math.floor(root)) * 2 ** 32);
  const primes: number[] = [];
  for (let number = 2; primes.length < 64; number += 1)
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  return [
    Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
    Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
  ];
}
