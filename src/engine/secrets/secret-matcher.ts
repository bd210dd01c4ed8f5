/**
 * Finds any of many texts in one pass: an Aho–Corasick automaton in flat arrays. It skips ahead where no match can
 * begin, so that ordinary text costs less than a look at every character.
 */
import type { Steps } from "../../core/steps.ts";

/** The block size of the skip table, in characters. */
const BLOCK = 3;

/** How many characters at the beginning of each text decide about skipping. */
const WINDOW = 6;

/** The state in which nothing has begun. */
export const ROOT = 0;

/** Instead of a state: one of the texts is there. */
const FOUND = -1;

/** How much of a long text is read in one step, in characters. */
const STEP_LENGTH = 256 * 1024;

export class SecretMatcher {
  /** Whether a text has a character that JSON must escape, or a slash, which it may escape. */
  readonly hasEscapes: boolean;
  readonly hasSlash: boolean;
  /** How many characters lead to a node. */
  readonly #depth: Int32Array;
  readonly #parent: Int32Array;
  readonly #character: Uint16Array;
  /** The node of the longest suffix that is also a beginning. */
  readonly #fallback: Int32Array;
  /** The node of the longest text that ends here; 0 where none does. */
  readonly #ending: Int32Array;
  /** Which text ends exactly here, counted from 1. */
  readonly #text: Int32Array;
  readonly #isLeaf: Uint8Array;
  /** Children by parent and character: an open hash table of nodes. */
  readonly #children: Int32Array;
  readonly #childBits: number;
  /** How far to go on from a position, by the last characters of its window. */
  readonly #skips: Uint8Array;
  #size = 1;

  /** Each of at least 6 characters. Of equal ones the first is found. */
  constructor(texts: readonly string[]) {
    this.hasEscapes = texts.some((text) => /["\\\p{Cc}]/u.test(text));
    this.hasSlash = texts.some((text) => text.includes("/"));
    const nodes = texts.reduce((sum, { length }) => sum + length, 1);
    this.#depth = new Int32Array(nodes);
    this.#parent = new Int32Array(nodes);
    this.#character = new Uint16Array(nodes);
    this.#fallback = new Int32Array(nodes);
    this.#ending = new Int32Array(nodes);
    this.#text = new Int32Array(nodes);
    this.#isLeaf = new Uint8Array(nodes).fill(1);
    this.#childBits = Math.ceil(Math.log2(nodes)) + 1;
    this.#children = new Int32Array(1 << this.#childBits);
    for (const [index, text] of texts.entries()) this.#insert(text, index);
    this.#link();
    this.#skips = skipTable(texts);
  }

  /** Whether one of the texts is in this one. */
  isIn(text: string): boolean {
    return this.#scan(text, 0, text.length, ROOT) === FOUND;
  }

  /** The same for a long text. */
  *isInLong(text: string): Steps<boolean> {
    let node: number = ROOT;
    for (let from = 0; from < text.length; from += STEP_LENGTH) {
      node = this.#scan(text, from, Math.min(from + STEP_LENGTH, text.length), node);
      if (node === FOUND) return true;
      yield;
    }
    return false;
  }

  /** Reads a part of the text. Returns the state at its end, or `FOUND` as soon as one of the texts ends. */
  #scan(text: string, from: number, end: number, state: number): number {
    let node = state;
    for (let at = from; at < end; at += 1) {
      if (node === ROOT) at = this.skip(text, at, end);
      if (at >= end) break;
      node = this.next(node, text.charCodeAt(at));
      if (this.#ending[node] !== ROOT) return FOUND;
    }
    return node;
  }

  /** The next position where one of the texts may begin, even if it continues after the end. */
  skip(text: string, from: number, end = text.length): number {
    const skips = this.#skips;
    const mask = skips.length - 1;
    const last = end - WINDOW;
    let at = from;
    while (at <= last) {
      const skip = skips[blockHash(text, at + WINDOW - BLOCK) & mask]!;
      if (skip === 0) return at;
      at += skip;
    }
    return at;
  }

  /** The state after one more character. */
  next(state: number, character: number): number {
    let node = state;
    while (true) {
      const child = this.#child(node, character);
      if (child !== ROOT || node === ROOT) return child;
      node = this.#fallback[node]!;
    }
  }

  /** How many of the last characters could still become one of the texts. */
  pending(state: number): number {
    let node = state;
    while (node !== ROOT && this.#isLeaf[node]) node = this.#fallback[node]!;
    return this.#depth[node]!;
  }

  /** How many of the last characters matter to what follows. */
  depth(state: number): number {
    return this.#depth[state]!;
  }

  /** The state for the next shorter suffix. */
  fallback(state: number): number {
    return this.#fallback[state]!;
  }

  /** The state that stands for the longest text that ends at this one; its `fallback` has the next shorter one. */
  ending(state: number): number {
    return this.#ending[state]!;
  }

  /** Which text such a state stands for. */
  textOf(state: number): number {
    return this.#text[state]! - 1;
  }

  #insert(text: string, index: number): void {
    let node = ROOT;
    for (let at = 0; at < text.length; at += 1) {
      const character = text.charCodeAt(at);
      node = this.#child(node, character) || this.#add(node, character);
    }
    this.#text[node] ||= index + 1;
  }

  #add(parent: number, character: number): number {
    const node = this.#size;
    this.#size += 1;
    this.#parent[node] = parent;
    this.#character[node] = character;
    this.#depth[node] = this.#depth[parent]! + 1;
    this.#isLeaf[parent] = 0;
    let slot = this.#slot(parent, character);
    while (this.#children[slot] !== 0) slot = (slot + 1) & (this.#children.length - 1);
    this.#children[slot] = node;
    return node;
  }

  #child(parent: number, character: number): number {
    const children = this.#children;
    let slot = this.#slot(parent, character);
    while (true) {
      const node = children[slot]!;
      if (node === 0 || (this.#parent[node] === parent && this.#character[node] === character)) return node;
      slot = (slot + 1) & (children.length - 1);
    }
  }

  #slot(parent: number, character: number): number {
    const mixed = Math.imul(Math.imul(parent, 0x9e3779b1) ^ character, 0x85ebca6b);
    return mixed >>> (32 - this.#childBits);
  }

  /** Shallow nodes first: a fallback is always shallower than what falls back. */
  #link(): void {
    for (const node of orderBy(this.#depth.subarray(0, this.#size))) {
      if (node === ROOT) continue;
      const parent = this.#parent[node]!;
      if (parent !== ROOT) this.#fallback[node] = this.next(this.#fallback[parent]!, this.#character[node]!);
      this.#ending[node] = this.#text[node] ? node : this.#ending[this.#fallback[node]!]!;
    }
  }
}

/** The indexes of small numbers, the smallest first, by counting. */
function orderBy(values: Int32Array): Int32Array {
  const places = new Int32Array(values.reduce((most, value) => Math.max(most, value), 0) + 2);
  for (const value of values) places[value + 1]! += 1;
  for (let value = 1; value < places.length; value += 1) places[value]! += places[value - 1]!;
  const order = new Int32Array(values.length);
  for (const [index, value] of values.entries()) {
    order[places[value]!] = index;
    places[value]! += 1;
  }
  return order;
}

/** For each block the minimum distance to a position where a text can begin; 0 if it may begin here. */
function skipTable(texts: readonly string[]): Uint8Array {
  const blocks = WINDOW - BLOCK + 1;
  const bits = Math.min(16, Math.max(10, Math.ceil(Math.log2(texts.length * blocks * 16 + 1))));
  const skips = new Uint8Array(1 << bits).fill(blocks);
  for (const text of texts) {
    for (let at = 0; at < blocks; at += 1) {
      const slot = blockHash(text, at) & (skips.length - 1);
      skips[slot] = Math.min(skips[slot]!, blocks - 1 - at);
    }
  }
  return skips;
}

function blockHash(text: string, at: number): number {
  const mixed = text.charCodeAt(at) ^ (text.charCodeAt(at + 1) << 5) ^ (text.charCodeAt(at + 2) << 10);
  return mixed ^ (mixed >>> 8);
}
