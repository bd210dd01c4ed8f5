/** Follows a session as UnifiedMessages over a WebSocket and resumes after the last `seq` it has. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { WebSocket } from "ws";
import type { SessionEvent } from "../../../src/core/event.ts";
import { expectTranscript } from "../../../src/testkit/dialect-contract/index.ts";
import { until } from "../../../src/testkit/until.ts";
import { isUnifiedMessage, type UnifiedMessage } from "../../../src/unified/index.ts";
import type { DaemonClient } from "../../daemon-client.ts";
import { unifiedAssistants, unifiedStream } from "../transcripts/unified.ts";
import { Repeated, type Watcher } from "./watcher.ts";

interface Envelope {
  seq?: number;
  message_id: string;
  payload: UnifiedMessage;
}

export class UnifiedWatcher implements Watcher {
  readonly dialect = "unified";
  /** By `message_id`, in the order in which they first came. */
  readonly #frames = new Map<string, Envelope>();
  readonly #reading: Repeated;
  #last = 0;
  #socket: WebSocket | undefined;

  /** @param survives Whether a connection that fails is only made again. */
  constructor(client: DaemonClient, session: string, survives = false) {
    this.#reading = new Repeated(async (signal) => {
      const socket = client.openSocket(`/v1/sessions/${session}/unified?after=${this.#last}`);
      this.#socket = socket;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      signal.addEventListener("abort", () => socket.terminate());
      socket
        .on("message", (data) => this.#take(JSON.parse(String(data))).catch(reject))
        .on("close", () => resolve())
        .on("error", (error) => (survives ? undefined : reject(error)));
      await promise;
      if (survives) await sleep(20);
    });
  }

  cut(): void {
    this.#reading.cut();
  }

  send(message: UnifiedMessage): void {
    this.#socket?.send(JSON.stringify(message));
  }

  async finish(log: readonly SessionEvent[]): Promise<void> {
    await until(() => this.#reading.failure !== undefined || this.#last >= log.at(-1)!.seq);
    await this.close();
    expect(this.#reading.failure).toBeUndefined();
    const shown = [...this.#frames.values()].map(({ payload }) => payload);
    await expectTranscript(unifiedStream, { shown, log });
    await expectTranscript(unifiedAssistants, { shown, log });
  }

  close(): Promise<void> {
    return this.#reading.close();
  }

  async #take(frame: Envelope): Promise<void> {
    const { seq, message_id, payload } = frame;
    expect(isUnifiedMessage(payload)).toBe(true);
    if (seq !== undefined) {
      expect(seq, "no gap and no event twice").toBe(this.#last + 1);
      this.#last = seq;
    }
    const known = this.#frames.get(message_id);
    if (known) expect(payload, "what comes again is the same").toEqual(known.payload);
    else this.#frames.set(message_id, frame);
  }
}
