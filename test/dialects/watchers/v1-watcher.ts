/** Follows the events of `/v1` and resumes after the last one it has. */
import { expect } from "vitest";
import type { SessionEvent } from "../../../src/core/event.ts";
import { expectTranscript } from "../../../src/testkit/dialect-contract/index.ts";
import { until } from "../../../src/testkit/until.ts";
import { type DaemonClient, dataLines } from "../../daemon-client.ts";
import { v1Events } from "../transcripts/v1.ts";
import { Repeated, type Watcher } from "./watcher.ts";

export class V1Watcher implements Watcher {
  readonly dialect = "v1";
  readonly #lines: string[] = [];
  readonly #reading: Repeated;
  #last = 0;

  constructor(client: DaemonClient, session: string) {
    this.#reading = new Repeated(async (signal) => {
      const path = `/v1/sessions/${session}/events/sse?after=${this.#last}`;
      for await (const line of dataLines(await client.request("GET", path, undefined, signal))) {
        const { seq } = JSON.parse(line) as SessionEvent;
        expect(seq, "no gap and nothing twice").toBe(this.#last + 1);
        this.#last = seq;
        this.#lines.push(line);
      }
    });
  }

  cut(): void {
    this.#reading.cut();
  }

  async finish(log: readonly SessionEvent[]): Promise<void> {
    await until(() => this.#reading.failure !== undefined || this.#last >= log.at(-1)!.seq);
    await this.close();
    expect(this.#reading.failure).toBeUndefined();
    const shown = this.#lines.slice(0, log.length).map((line) => ({ text: `data: ${line}` }));
    await expectTranscript(v1Events, { shown, log });
  }

  close(): Promise<void> {
    return this.#reading.close();
  }
}
