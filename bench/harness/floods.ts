/** Many clients at once, or one that sends many small things: on a session of some thousand deltas. */
import { setTimeout as sleep } from "node:timers/promises";
import type { DaemonProcess } from "../../test/crash/daemon-process.ts";
import type { Attack } from "./attacks.ts";
import type { Scale } from "./benchmark.ts";
import { RawConnection } from "./raw-connection.ts";

const PING = 9;
const TEXT = 1;

export interface FloodedSessions {
  /** One with some thousand deltas. */
  short: string;
  /** One with half a million. */
  long: string;
}

export function floods({ short, long }: FloodedSessions, { size }: Pick<Scale, "size">): Attack[] {
  const many = size(3000, 20);
  const frames = size(200_000, 200);
  const waitMs = size(2000, 10);
  const session = `/v1/sessions/${short}`;
  const socket = (daemon: DaemonProcess) => RawConnection.openSocket(daemon, `${session}/unified`);
  return [
    {
      name: `${many} sockets of one session at once`,
      run: (daemon) => openAll(many, waitMs, () => socket(daemon)),
    },
    {
      name: `${many} streams of one session at once`,
      run: (daemon) => openAll(many, waitMs, () => new RawConnection(daemon, `${session}/events/sse`)),
    },
    { name: `${frames} pings`, run: (daemon) => sendFrames(socket(daemon), PING, frames, waitMs) },
    { name: `${frames} empty messages`, run: (daemon) => sendFrames(socket(daemon), TEXT, frames, waitMs) },
    {
      name: `a burst to ${size(1000, 10)} sockets`,
      prepare: (daemon) =>
        daemon.call("POST", "/v1/sessions", { id: "burst", agent: "mock", options: { pace: 0 } }),
      async run(daemon) {
        const opening = openAll(size(1000, 10), 2 * waitMs, () =>
          RawConnection.openSocket(daemon, "/v1/sessions/burst/unified"),
        );
        await sleep(waitMs);
        await daemon.prompt("burst", `scenario:burst:${size(3000, 10)}`);
        return opening;
      },
    },
    {
      name: "the feed to 20 readers at once, with 2,000 sessions",
      run: (daemon) => openAll(20, waitMs, () => new RawConnection(daemon, "/v1/feed/sse")),
    },
    {
      name: "a fork of a turn of 500,000 deltas",
      run: async (daemon) => `${(await daemon.request("POST", `/v1/sessions/${long}/fork`, {})).status}`,
    },
    {
      name: "a recording with a line of 20 MB",
      prepare: (daemon) => sayLongLine(daemon, size(20, 1)),
      async run(daemon) {
        const response = await daemon.request("GET", "/v1/sessions/long-line/recording");
        return `${(await response.arrayBuffer()).byteLength} bytes`;
      },
    },
  ];
}

/** Keeps them open for a while. */
async function openAll(count: number, waitMs: number, open: () => RawConnection): Promise<string> {
  using stack = new DisposableStack();
  const connections = Array.from({ length: count }, () => stack.use(open()));
  const statuses = await Promise.all(connections.map(({ status }) => status));
  await sleep(waitMs);
  const opened = statuses.filter((status) => status === 101 || status === 200).length;
  return `${opened} opened, ${count - opened} refused`;
}

async function sendFrames(
  connection: RawConnection,
  code: number,
  count: number,
  waitMs: number,
): Promise<string> {
  using opened = connection;
  await opened.status;
  const frame = Buffer.from([0x80 | code, 0x80, 0, 0, 0, 0]);
  opened.write(Buffer.concat(Array.from({ length: count }, () => frame)));
  await sleep(waitMs);
  return `${opened.bytes} bytes back`;
}

async function sayLongLine(daemon: DaemonProcess, megabytes: number): Promise<void> {
  const path = "/v1/sessions/long-line";
  await daemon.call("POST", "/v1/sessions", { id: "long-line", agent: "mock", options: { pace: 0 } });
  await daemon.prompt("long-line", `scenario:huge:${megabytes}`);
  while ((await daemon.call<{ status: string }>("GET", path)).status !== "idle") await sleep(20);
}
