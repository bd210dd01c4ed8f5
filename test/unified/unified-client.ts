/** A consumer of the UnifiedMessage protocol for tests: it checks every frame, and waits for answers. */
import { expect } from "vitest";
import { SocketClient, type SocketOptions } from "../../src/server/channels/socket-client-test-support.ts";
import { until } from "../../src/testkit/until.ts";
import { createUnifiedMessage, type NewUnifiedMessage } from "../../src/unified/create-unified-message.ts";
import { isUnifiedMessage } from "../../src/unified/is-unified-message.ts";
import { MESSAGE_ROLES, type UnifiedMessage } from "../../src/unified/unified-message.ts";

export interface Sequenced {
  seq?: number;
  message_id: string;
  timestamp: number;
  payload: UnifiedMessage;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export class UnifiedClient {
  readonly client: SocketClient;
  #checked = 0;

  private constructor(client: SocketClient) {
    this.client = client;
  }

  static async open(
    daemon: { url: string; token: string },
    session: string,
    query = "",
    options: SocketOptions = {},
  ): Promise<UnifiedClient> {
    const headers = { authorization: `Bearer ${daemon.token}` };
    const path = `/v1/sessions/${session}/unified${query}`;
    return new UnifiedClient(await SocketClient.open(daemon.url, path, { headers, ...options }));
  }

  /** All frames so far, each of which is as it has to be. */
  get frames(): Sequenced[] {
    const frames: Sequenced[] = this.client.values;
    for (const frame of frames.slice(this.#checked)) expectFrame(frame);
    this.#checked = frames.length;
    return frames;
  }

  get payloads(): UnifiedMessage[] {
    return this.frames.map(({ payload }) => payload);
  }

  /** The last place it can come back from. */
  get lastSeq(): number {
    return this.frames.findLast(({ seq }) => seq !== undefined)?.seq ?? 0;
  }

  /** Those with this type, and with this `kind` in their metadata. */
  of(type: string, kind?: string): UnifiedMessage[] {
    return this.payloads.filter(
      (payload) => payload.type === type && (kind === undefined || payload.metadata.kind === kind),
    );
  }

  async first(type: string, kind?: string): Promise<UnifiedMessage> {
    await until(() => this.of(type, kind).length > 0);
    return this.of(type, kind)[0]!;
  }

  send(message: NewUnifiedMessage | UnifiedMessage): UnifiedMessage {
    const whole = "id" in message ? message : createUnifiedMessage(message);
    this.client.send(whole);
    return whole;
  }

  /** The metadata of the answer. */
  async request(message: NewUnifiedMessage | UnifiedMessage): Promise<Record<string, unknown>> {
    const before = this.of("control_response").length;
    const { id } = this.send(message);
    const answers = () =>
      this.of("control_response")
        .slice(before)
        .filter(({ metadata }) => metadata.inResponseTo === id);
    await until(() => answers().length > 0);
    return answers()[0]!.metadata;
  }

  prompt(text: string, metadata: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    return this.request({ type: "user_message", role: "user", content: [{ type: "text", text }], metadata });
  }

  /** So many turns have ended. */
  async turns(count: number): Promise<void> {
    await until(() => this.of("result").length >= count);
  }

  close(): void {
    this.client.close();
  }
}

function expectFrame({ seq, message_id, timestamp, payload }: Sequenced): void {
  expect(isUnifiedMessage(payload)).toBe(true);
  expect(message_id).toMatch(UUID);
  expect(Number.isInteger(timestamp)).toBe(true);
  if (seq !== undefined) expect(Number.isInteger(seq)).toBe(true);
  if (payload.type !== "unknown") expect(payload.role).toBe(MESSAGE_ROLES[payload.type]);
}

/** What is left of frames when those that came twice are dropped. */
export function withoutRepeats(frames: readonly Sequenced[]): Sequenced[] {
  const seen = new Set<string>();
  return frames.filter(({ message_id }) => !seen.has(message_id) && seen.add(message_id));
}
