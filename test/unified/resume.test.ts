/** Random cuts at random frames: whoever comes back with its last seq has, by message_id, what an uncut client has. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import { type Daemon, startDaemon } from "../../src/daemon.ts";
import { until } from "../../src/testkit/until.ts";
import { DaemonClient } from "../daemon-client.ts";
import { type Sequenced, UnifiedClient, withoutRepeats } from "./unified-client.ts";

let daemon: Daemon;
let api: DaemonClient;
let sessions = 0;

beforeAll(async () => {
  daemon = await startDaemon({ data: ":memory:", port: 0 });
  api = new DaemonClient(daemon);
});

afterAll(() => daemon.close());

/** Frames of the log: those without a place that an event made come right before one that has it. */
function ofLog(frames: readonly Sequenced[]): Sequenced[] {
  const ids = new Set<string>();
  for (const [index, { seq, message_id }] of frames.entries()) {
    if (seq === undefined) continue;
    ids.add(message_id);
    for (let at = index - 1; at >= 0 && frames[at]!.seq === undefined && isOfLog(frames[at]!); at -= 1)
      ids.add(frames[at]!.message_id);
  }
  return frames.filter(({ message_id }) => ids.has(message_id));
}

/** What is told on connect, and presence, is about no event. */
function isOfLog({ payload: { type, metadata } }: Sequenced): boolean {
  return type !== "permission_request" && (type !== "status_change" || metadata.kind === "turn");
}

/** An agent in the background may say more at any time. */
function upTo(head: number, frames: readonly Sequenced[]): Sequenced[] {
  return frames.slice(0, frames.findIndex(({ seq }) => seq === head) + 1);
}

const SCENARIOS = ["text", "rich", "burst:300", "subagent", "retry", "background", "echo-split hello"];

it("cut anywhere, back with the last seq, nothing is missing and nothing differs", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...SCENARIOS), { minLength: 1, maxLength: 4 }),
      fc.array(fc.nat(120), { minLength: 1, maxLength: 12 }),
      async (scenarios, cuts) => {
        sessions += 1;
        const session = `cut${sessions}`;
        await api.call("POST", "/v1/sessions", { id: session, agent: "mock", options: { pace: 0 } });
        const uncut = await UnifiedClient.open(daemon, session);
        for (const scenario of scenarios) await api.prompt(session, `scenario:${scenario}`);
        const read: Sequenced[] = [];
        const back = () =>
          UnifiedClient.open(daemon, session, `?after=${read.findLast(({ seq }) => seq)?.seq ?? 0}`);
        for (const cut of cuts) {
          const client = await back();
          // Some are cut in the middle of what one event became, or before anything came.
          await until(
            () => client.client.messages.length >= cut || client.of("status_change", "presence").length > 0,
          );
          client.close();
          read.push(...client.frames.slice(0, cut));
        }
        await until(async () => {
          const { status, queued } = await api.call<{ status: string; queued: number }>(
            "GET",
            `/v1/sessions/${session}`,
          );
          return status === "idle" && queued === 0;
        });
        const { head } = await api.call<{ head: number }>("GET", `/v1/sessions/${session}`);
        const last = await back();
        await until(() => Math.max(last.lastSeq, read.findLast(({ seq }) => seq)?.seq ?? 0) >= head);
        read.push(...last.frames);
        await until(() => uncut.lastSeq >= head);
        const whole = upTo(head, ofLog(uncut.frames));
        const ids = new Set(whole.map(({ message_id }) => message_id));
        // Of an event that was cut in two, the rest comes after the next greeting.
        const isOfWhole = ({ seq, message_id }: Sequenced) => seq !== undefined || ids.has(message_id);
        expect(upTo(head, withoutRepeats(read).filter(isOfWhole))).toEqual(whole);
        expect(checkLog((await api.events(session)).map((line) => JSON.parse(line)))).toEqual([]);
        uncut.close();
        last.close();
      },
    ),
    { numRuns: 12 },
  );
});
