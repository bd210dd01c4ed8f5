/** The real daemon with the real mock agent, each a process of its own, and what can be read of it from outside. */
import { readFileSync } from "node:fs";
import { DaemonProcess } from "../../test/crash/daemon-process.ts";
import { measure, type Sample } from "./rounds.ts";
import { SseReader } from "./sse-reader.ts";

const TURN_ENDED = '"type":"turn.ended"';

export interface Burst extends Sample {
  readonly events: number;
  /** Of the stream that each reader got. */
  readonly bytes: number;
  /** Kept of the first reader. */
  readonly body: readonly Buffer[];
}

export class DaemonUnderTest implements AsyncDisposable {
  readonly #daemon: DaemonProcess;

  private constructor(daemon: DaemonProcess) {
    this.#daemon = daemon;
  }

  static async start(data: string, environment?: Record<string, string>): Promise<DaemonUnderTest> {
    return new DaemonUnderTest(await DaemonProcess.start(data, { environment }));
  }

  get url(): string {
    return this.#daemon.url;
  }

  /** A session whose agent runs already and whose code is warm. */
  async openSession(warmUpDeltas: number): Promise<string> {
    const { id } = await this.#daemon.call<{ id: string }>("POST", "/v1/sessions", { agent: "mock" });
    await this.playBurst(id, warmUpDeltas, 1);
    return id;
  }

  /** Has the agent say so many deltas while so many clients read. Ends when all of them have everything. */
  async playBurst(session: string, deltas: number, readerCount: number): Promise<Burst> {
    const { head } = await this.#daemon.call<{ head: number }>("GET", `/v1/sessions/${session}`);
    const readers = await Promise.all(
      Array.from({ length: readerCount }, (_, index) =>
        this.openReader(session, { after: head, last: TURN_ENDED, keep: index === 0 }),
      ),
    );
    const sample = await measure(async () => {
      await this.#daemon.prompt(session, `scenario:burst:${deltas}`);
      await Promise.all(readers.map(({ finished }) => finished));
    }, this.cpu);
    const [first] = readers;
    const { bytes, body, lastId } = first!;
    for (const reader of readers) {
      if (reader.bytes !== bytes) throw new Error(`One reader got ${reader.bytes} bytes, another ${bytes}.`);
      reader.close();
    }
    return { ...sample, events: lastId - head, bytes, body };
  }

  /** How many frames a reader of the feed gets while the agent gives one answer of 200 deltas. */
  async feedFrames(session: string): Promise<number> {
    const { url, token } = this.#daemon;
    const { head } = await this.#daemon.call<{ head: number }>("GET", `/v1/sessions/${session}`);
    const answer = await this.openReader(session, { after: head, last: TURN_ENDED });
    const feed = await SseReader.open({ url, token, path: "/v1/feed/sse", last: "never", keep: true });
    await this.#daemon.prompt(session, "scenario:long");
    await answer.finished;
    answer.close();
    feed.close();
    const frames = Buffer.concat(feed.body)
      .toString()
      .match(/^data: \{"type":"session"/gm);
    return frames?.length ?? 0;
  }

  openReader(
    session: string,
    { after, ...rest }: { after: number; last: string; keep?: boolean },
  ): Promise<SseReader> {
    const { url, token } = this.#daemon;
    const path = `/v1/sessions/${session}/events/sse?after=${after}`;
    return SseReader.open({ url, token, path, ...rest });
  }

  /** Its processor time in microseconds. */
  readonly cpu = async (): Promise<number> => (await this.metric("process_cpu_seconds_total")) * 1e6;

  async metric(name: string): Promise<number> {
    const text = await (await this.#daemon.request("GET", "/metrics")).text();
    return Number(new RegExp(`^interlingua_${name} (.+)$`, "m").exec(text)?.[1]);
  }

  /** The most memory it ever held, in bytes; undefined where the system does not tell. */
  peakMemory(): number | undefined {
    try {
      const status = readFileSync(`/proc/${this.#daemon.pid}/status`, "utf8");
      return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
    } catch {
      return undefined;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#daemon.kill("SIGTERM");
  }
}
