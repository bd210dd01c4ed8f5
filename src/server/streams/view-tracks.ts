/** The tracks that readers share: those that begin at the same event, and the most advanced one of each view. */
import type { View } from "../../dialects/dialect.ts";
import { ViewTrack } from "./view-track.ts";

interface Shared {
  track: ViewTrack;
  readers: number;
}

export class ViewTracks {
  /** By view and by the event that readers began after. */
  readonly #starts = new Map<string, Shared>();
  readonly #places = new Map<string, Shared>();

  /** How many views are shared. */
  get size(): number {
    return this.#places.size;
  }

  get(key: string): ViewTrack | undefined {
    return this.#places.get(key)?.track;
  }

  /**
   * A track for a reader that begins after `from`, with the view of an earlier reader where it can be shared. Call `release`
   * with the same key when the reader has gone.
   */
  begin(key: string, from: number, view: View): ViewTrack {
    const start = `${key}\n${from}`;
    const shared = this.#starts.get(start) ?? { track: new ViewTrack(view, from), readers: 0 };
    if (!shared.track.canBegin) shared.track = new ViewTrack(view, from);
    this.#starts.set(start, shared);
    shared.readers += 1;
    // A single reader keeps nothing: nobody else would get it.
    if (shared.readers > 1) shared.track.share();
    return shared.track;
  }

  release(key: string, from: number): void {
    const start = `${key}\n${from}`;
    const shared = this.#starts.get(start);
    if (!shared) return;
    shared.readers -= 1;
    if (shared.readers === 0) this.#starts.delete(start);
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
    if (!place || (place.track.next > track.next && !place.track.isBroken)) return track;
    if (place.track.isBroken || place.track.next < track.next) place.track = track;
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
