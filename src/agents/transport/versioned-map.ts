/**
 * An immutable map for the states of translators: a change gives another map. The newest version is as fast as a `Map`,
 * however large it is, and an older one still reads as it was. It is also bounded: the oldest entries are dropped when
 * there are too many, or when they are too large together.
 *
 * All versions share one `Map`, which is that of the version used last. Each other version knows only how it differs from
 * the one after it, so nothing keeps an old version alive.
 */
import { sizeOf } from "../../core/bound-value.ts";

export interface MapBounds {
  /** How many entries at most. */
  readonly entries: number;
  /** How large keys and values may be together, in characters. */
  readonly size: number;
}

export const MAP_BOUNDS: MapBounds = { entries: 10_000, size: 64 * 1024 * 1024 };

/** How a version differs from a newer one: what the key had there. */
interface Difference<Key, Value> {
  newer: VersionedMap<Key, Value>;
  key: Key;
  before: { value: Value } | undefined;
}

export class VersionedMap<Key, Value> implements ReadonlyMap<Key, Value> {
  #own: Map<Key, Value> | undefined;
  #difference: Difference<Key, Value> | undefined;
  readonly size: number;
  /** Of all keys and values, in characters. */
  readonly #weight: number;

  /** Takes the map over: nobody else may change it. */
  constructor(own: Map<Key, Value>, weight?: number) {
    this.#own = own;
    this.size = own.size;
    this.#weight = weight ?? weightOf(own);
  }

  with(key: Key, value: Value, bounds: MapBounds = MAP_BOUNDS): VersionedMap<Key, Value> {
    let next = this.#change(key, { value });
    while (next.size > bounds.entries || next.#weight > bounds.size) {
      next = next.without(next.#map().keys().next().value as Key);
    }
    return next;
  }

  /** Gives back the map itself where there is no such key. */
  without(key: Key): VersionedMap<Key, Value> {
    return this.has(key) ? this.#change(key, undefined) : this;
  }

  get(key: Key): Value | undefined {
    return this.#map().get(key);
  }

  has(key: Key): boolean {
    return this.#map().has(key);
  }

  forEach(act: (value: Value, key: Key, map: ReadonlyMap<Key, Value>) => void): void {
    for (const [key, value] of this.entries()) act(value, key, this);
  }

  /** Iterators over a snapshot: the shared map may change during the iteration. */
  entries(): MapIterator<[Key, Value]> {
    return [...this.#map()].values() as MapIterator<[Key, Value]>;
  }

  keys(): MapIterator<Key> {
    return [...this.#map().keys()].values() as MapIterator<Key>;
  }

  values(): MapIterator<Value> {
    return [...this.#map().values()].values() as MapIterator<Value>;
  }

  [Symbol.iterator](): MapIterator<[Key, Value]> {
    return this.entries();
  }

  #change(key: Key, after: { value: Value } | undefined): VersionedMap<Key, Value> {
    const map = this.#map();
    const before = map.has(key) ? { value: map.get(key) as Value } : undefined;
    const weight =
      this.#weight - (before ? weigh(key, before.value) : 0) + (after ? weigh(key, after.value) : 0);
    // Many states begin with one empty map, so it is not tied to any of them.
    if (this.size === 0) return new VersionedMap(after ? new Map([[key, after.value]]) : new Map(), weight);
    put(map, key, after);
    const newer = new VersionedMap(map, weight);
    this.#own = undefined;
    this.#difference = { newer, key, before };
    return newer;
  }

  /** The shared map, as it is for this version. */
  #map(): Map<Key, Value> {
    if (this.#own) return this.#own;
    const older: VersionedMap<Key, Value>[] = [];
    let version: VersionedMap<Key, Value> = this;
    while (!version.#own) {
      older.push(version);
      version = version.#difference!.newer;
    }
    const map = version.#own;
    for (const next of older.reverse()) {
      const { key, before } = next.#difference!;
      version.#difference = { newer: next, key, before: map.has(key) ? { value: map.get(key)! } : undefined };
      version.#own = undefined;
      put(map, key, before);
      next.#own = map;
      next.#difference = undefined;
      version = next;
    }
    return map;
  }
}

function put<Key, Value>(map: Map<Key, Value>, key: Key, entry: { value: Value } | undefined): void {
  if (entry) map.set(key, entry.value);
  else map.delete(key);
}

function weightOf(map: ReadonlyMap<unknown, unknown>): number {
  let weight = 0;
  for (const [key, value] of map) weight += weigh(key, value);
  return weight;
}

function weigh(key: unknown, value: unknown): number {
  return sizeOf(key) + sizeOf(value);
}
