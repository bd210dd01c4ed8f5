/** Immutable maps for the states of translators: a change gives another map, and costs little. */
import { MAP_BOUNDS, type MapBounds, VersionedMap } from "./versioned-map.ts";

/** Drops the oldest entries when the map exceeds its bounds. */
export function withEntry<Key, Value>(
  map: ReadonlyMap<Key, Value>,
  key: Key,
  value: Value,
  bounds: MapBounds = MAP_BOUNDS,
): ReadonlyMap<Key, Value> {
  return versioned(map).with(key, value, bounds);
}

/** Gives back the map itself where there is no such key. */
export function withoutEntry<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): ReadonlyMap<Key, Value> {
  return map.has(key) ? versioned(map).without(key) : map;
}

function versioned<Key, Value>(map: ReadonlyMap<Key, Value>): VersionedMap<Key, Value> {
  return map instanceof VersionedMap ? map : new VersionedMap(new Map(map));
}
