/**
 * Sessions that this tab made and has not used, by their ids in its storage: what a crash left is deleted when the tab is
 * loaded again. A copy of the tab has the same list; so each is locked as long as the tab lives that made it.
 */
import { InterlinguaError } from "../../../src/sdk/error.ts";
import { daemon } from "../api/client.ts";
import { keep, readKeptJson } from "../browser-storage.ts";

const KEY = "interlingua.unused";

export class LeftSessions {
  readonly #held = new Set<string>();

  add(id: string): void {
    if (!this.#held.has(id)) {
      this.#held.add(id);
      // Never given back: a copy of the tab may still have it in its list when it was used here.
      void navigator.locks?.request(lockOf(id), () => new Promise(() => {})).catch(() => {});
    }
    write([...read(), id]);
  }

  /** It was deleted or used. */
  delete(id: string): void {
    write(read().filter((other) => other !== id));
  }

  /** Deletes what is left from before, where nobody said anything in it. */
  async clear(): Promise<void> {
    for (const id of read()) {
      if (this.#held.has(id)) continue;
      // Without locks nobody can tell whether it is in use.
      const isGone =
        (await navigator.locks?.request(lockOf(id), { ifAvailable: true }, async (lock) =>
          lock ? removeUnused(id).catch(() => false) : true,
        )) ?? true;
      if (isGone) this.delete(id);
    }
  }
}

/** Whether it is no more a matter of this tab. */
async function removeUnused(id: string): Promise<boolean> {
  try {
    const params = { id };
    const session = await daemon().call("GET /v1/sessions/{id}", { params });
    const { messages } = await daemon().call("GET /v1/sessions/{id}/messages", {
      params,
      query: { limit: 1 },
    });
    const isUsed = messages.length > 0 || session.queued > 0 || session.status !== "idle" || session.title;
    if (!isUsed) await daemon().call("DELETE /v1/sessions/{id}", { params });
    return true;
  } catch (error) {
    return InterlinguaError.is(error, "session_not_found");
  }
}

function lockOf(id: string): string {
  return `interlingua.unused.${id}`;
}

function read(): string[] {
  const stored = readKeptJson(KEY, () => sessionStorage);
  return Array.isArray(stored) ? stored.filter((id) => typeof id === "string") : [];
}

/** Where the storage is full, what a crash leaves stays in the list of sessions. */
function write(ids: readonly string[]): void {
  keep(KEY, ids.length === 0 ? undefined : JSON.stringify(ids), () => sessionStorage);
}
