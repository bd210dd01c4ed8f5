/** Who watches by way of other nodes, as each of them tells it. */
import type { PresenceView, Viewer } from "../../protocol/schemas/presence.ts";

export class PresenceElsewhere {
  /** By session, then by node. */
  readonly #sessions = new Map<string, Map<number, PresenceView>>();

  /** Nobody watches there when undefined. */
  set(node: number, session: string, view: PresenceView | undefined): void {
    const nodes = this.#sessions.get(session) ?? new Map<number, PresenceView>();
    if (view) this.#sessions.set(session, nodes.set(node, view));
    else if (nodes.delete(node) && nodes.size === 0) this.#sessions.delete(session);
  }

  sessions(): Iterable<string> {
    return this.#sessions.keys();
  }

  /** All together. Somebody who watches by two nodes is one viewer with two streams. */
  addTo(session: string, here: PresenceView, maxViewers: number): PresenceView {
    const nodes = this.#sessions.get(session);
    if (!nodes) return here;
    const all = new Map<string, Viewer>();
    // Those that a node does not list are taken for others than all that are listed.
    let unlisted = 0;
    for (const { viewers, total } of [here, ...nodes.values()]) {
      unlisted += total - viewers.length;
      for (const viewer of viewers) {
        const key = JSON.stringify([viewer.name, viewer.role, viewer.dialect]);
        const known = all.get(key);
        all.set(key, known ? joined(known, viewer) : viewer);
      }
    }
    const viewers = [...all.values()].sort((a, b) => a.since - b.since);
    return { viewers: viewers.slice(0, maxViewers), total: viewers.length + unlisted };
  }
}

function joined(one: Viewer, other: Viewer): Viewer {
  return { ...one, since: Math.min(one.since, other.since), count: one.count + other.count };
}
