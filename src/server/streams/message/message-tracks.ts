/** The track that is furthest on each message somebody reads, for others to join. */
import type { MessageTrack } from "./message-track.ts";

export class MessageTracks {
  readonly #places = new Map<string, { track: MessageTrack; readers: number }>();

  /** How many messages are being read. */
  get size(): number {
    return this.#places.size;
  }

  get(key: string): MessageTrack | undefined {
    return this.#places.get(key)?.track;
  }

  /** To be called once by every reader of a message, with the track it begins with. */
  enter(key: string, track: MessageTrack): void {
    const place = this.#places.get(key);
    if (place) place.readers += 1;
    else this.#places.set(key, { track, readers: 1 });
  }

  /** Readers that come later join the one that is furthest. */
  moved(key: string, track: MessageTrack): void {
    const place = this.#places.get(key);
    if (place && track.next > place.track.next) place.track = track;
  }

  leave(key: string): void {
    const place = this.#places.get(key);
    if (!place) return;
    place.readers -= 1;
    if (place.readers === 0) this.#places.delete(key);
  }
}
