/** The most advanced track of each view that is being read, for readers that are level to join. */
import type { ViewTrack } from "./view-track.ts";

export class ViewTracks {
  readonly #places = new Map<string, { track: ViewTrack; readers: number }>();

  /** How many views are shared. */
  get size(): number {
    return this.#places.size;
  }

  get(key: string): ViewTrack | undefined {
    return this.#places.get(key)?.track;
  }

  /** Call it once per reader, when it is level with its track. Returns the track to go on with. */
  enter(key: string, track: ViewTrack): ViewTrack {
    const place = this.#places.get(key);
    if (!place) {
      this.#places.set(key, { track, readers: 1 });
      return track;
    }
    place.readers += 1;
    return this.join(key, track);
  }

  /** The shared track if it is at the same position; else `track`, which is shared from now on if it is further. */
  join(key: string, track: ViewTrack): ViewTrack {
    const place = this.#places.get(key);
    if (!place || place.track.next > track.next) return track;
    if (place.track.next < track.next) place.track = track;
    if (place.readers > 1) place.track.share();
    return place.track;
  }

  leave(key: string): void {
    const place = this.#places.get(key);
    if (!place) return;
    place.readers -= 1;
    if (place.readers === 0) this.#places.delete(key);
  }
}
