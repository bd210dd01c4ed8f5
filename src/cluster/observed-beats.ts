/** Which nodes have stood still for so long that they count as dead, by our own clock and what we saw ourselves. Pure. */

export interface NodeBeat {
  id: number;
  beat: number;
}

export class ObservedBeats {
  readonly #deadMs: number;
  /** Each node's beat, and since when we see it. */
  #seen = new Map<number, { beat: number; since: number }>();
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(deadMs: number) {
    this.#deadMs = deadMs;
  }

  /** Takes in the beats of all living nodes; returns those that stood still. `now` never goes back. */
  note(beats: readonly NodeBeat[], now: number): NodeBeat[] {
    // After a gap in our own reads nobody is dead: we could not have seen a beat, and they may not have reached the
    // database either.
    const hasGap = now - this.#readAt > this.#deadMs / 2;
    this.#readAt = now;
    const before = this.#seen;
    this.#seen = new Map();
    return beats.filter(({ id, beat }) => {
      const known = before.get(id);
      const since = !hasGap && known?.beat === beat ? known.since : now;
      this.#seen.set(id, { beat, since });
      return now - since >= this.#deadMs;
    });
  }

  /** Whether its beat has stood still for this long, as far as we saw. Not for one that we have not seen yet. */
  isStill(node: number, milliseconds: number): boolean {
    const known = this.#seen.get(node);
    return known !== undefined && this.#readAt - known.since >= milliseconds;
  }
}
