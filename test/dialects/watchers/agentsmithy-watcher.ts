/** Reads the history of a dialog again and again, page by page: on this wire nobody can follow what others prompt. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { SessionEvent } from "../../../src/core/event.ts";
import { expectTranscript } from "../../../src/testkit/dialect-contract/index.ts";
import type { SmithyClient } from "../../agentsmithy/smithy-client.ts";
import {
  createSmithyHistory,
  type SmithyHistory,
  type SmithyToolResult,
} from "../transcripts/agentsmithy.ts";
import { Repeated, type Watcher } from "./watcher.ts";

/** Few, so that there are many pages. */
const PAGE_TEXTS = 7;
const LONG_HISTORY = 1000;

interface Page {
  events: (SmithyHistory["events"][number] & { idx?: number })[];
  has_more: boolean;
  first_idx?: number;
}

export class SmithyWatcher implements Watcher {
  readonly dialect = "agentsmithy";
  readonly #client: SmithyClient;
  readonly #dialog: string;
  readonly #cwd: string;
  readonly #reading: Repeated;

  constructor(client: SmithyClient, about: { dialog: string; cwd: string }) {
    this.#client = client;
    this.#dialog = about.dialog;
    this.#cwd = about.cwd;
    this.#reading = new Repeated(async (signal) => {
      await this.#history(PAGE_TEXTS, signal);
      await sleep(20);
    });
  }

  cut(): void {
    this.#reading.cut();
  }

  async finish(log: readonly SessionEvent[]): Promise<void> {
    await this.close();
    expect(this.#reading.failure).toBeUndefined();
    const events = await this.#history(PAGE_TEXTS);
    // A long run has thousands of such pages.
    for (const limit of events.length > LONG_HISTORY ? [20, 50] : [1, 2])
      expect(await this.#history(limit)).toEqual(events);
    // What an agent says before it takes up a prompt that steers it stands before the prompt, with later places.
    const isSteered = log.some((event) => event.type === "prompt.dispatched" && event.steered);
    expectPlaces(events, !isSteered);
    const shown = { events, results: await this.#results() };
    await expectTranscript(createSmithyHistory(this.#cwd), { shown, log });
  }

  close(): Promise<void> {
    return this.#reading.close();
  }

  /** All pages. A prompt that waits has another place once it has begun, perhaps between two of them. */
  async #history(limit: number, signal?: AbortSignal): Promise<Page["events"]> {
    const events: Page["events"] = [];
    for (let before = ""; ; ) {
      const path = `/api/dialogs/${this.#dialog}/history?limit=${limit}${before}`;
      const response = await this.#client.fetch(path, { ...(signal && { signal }) });
      expect(response.status).toBe(200);
      const page = (await response.json()) as Page;
      expectPlaces(page.events, false);
      events.unshift(...page.events);
      if (!page.has_more) break;
      before = `&before=${page.first_idx}`;
    }
    return events;
  }

  async #results(): Promise<SmithyToolResult[]> {
    const path = `/api/dialogs/${this.#dialog}/tool-results`;
    const { body } = await this.#client.call("GET", path);
    const listed = body as { tool_call_id: string; error?: string }[];
    return Promise.all(
      listed.map(async ({ tool_call_id: call, error }) => {
        const { result } = (await this.#client.call("GET", `${path}/${call}`)).body;
        return { call, result, error };
      }),
    );
  }
}

/** None comes twice, and they grow where nobody steers. */
function expectPlaces(events: Page["events"], isGrowing: boolean): void {
  const places = events.flatMap(({ idx }) => idx ?? []);
  const unique = [...new Set(places)];
  expect(places).toEqual(isGrowing ? unique.sort((a, b) => a - b) : unique);
}
