/** The most advanced track of each message that is being read, for other readers to join. */
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

  /** Call it once per reader of a message, with the track it begins with. */
  enter(key: string, track: MessageTrack): void {
    const place = this.#places.get(key);
    if (place) place.readers += 1;
    else this.#places.set(key, { track, readers: 1 });
  }

  /** Later readers join the most advanced one. */
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
