/** Plays the agent's side of a recording to a client: awaits what was sent to it, says what it said. */
import { setTimeout as sleep } from "node:timers/promises";
import { ClientLines, lineKind } from "./client-lines.ts";
import { IdMap } from "./id-map.ts";
import { readMessage } from "./line-kind.ts";
import type { PlayerOptions } from "./player-options.ts";
import { isEvent, readRecording } from "./read-recording.ts";

/** Where the player reads and writes; all without newlines of its own but `output`, which takes bytes as they are. */
export interface Stage {
  readonly input: AsyncIterable<string>;
  output(text: string): Promise<void>;
  stderr(text: string): void;
}

export type PlayerExit = { readonly code: number } | { readonly signal: NodeJS.Signals };

/** How agents end when a client is done with them; the numbers are those signals as exit codes. */
const POLITE_ENDS: readonly unknown[] = [0, "SIGTERM", 143, "SIGINT", 130, "SIGHUP", 129];

/**
 * Resolves with how the agent ends. An end that the recorded client asked for comes when the client of today closes
 * the input. Others come by themselves, where they were recorded.
 */
export async function playRecording(
  recording: string,
  stage: Stage,
  options: PlayerOptions = {},
): Promise<PlayerExit> {
  const { pace = 0, cutAfter = Number.POSITIVE_INFINITY, skip = [] } = options;
  const client = new ClientLines(stage.input);
  const ids = new IdMap(options.ids);
  const lines = readRecording(recording, options.process);
  let lastAt: number | undefined;
  for (const { record, number } of lines) {
    const { data, direction, at } = record;
    if (number > cutAfter) break;
    if (typeof data !== "string") {
      if (isEvent(record, "stderr")) stage.stderr(String(data.text));
      if (isEvent(record, "exit") && !options.signal) return end(client, exitOf(data));
      continue;
    }
    if (direction === "out") {
      const message = readMessage(data);
      const kind = lineKind(message);
      if (skip.includes(kind)) continue;
      const received = await client.next(kind);
      if (received === "ended") return giveUp(stage, client, { kind, number });
      if (message && received.message) ids.learn(message, received.message);
    } else {
      if (pace > 0 && lastAt !== undefined) await sleep((at - lastAt) * pace);
      await stage.output(`${renamed(data, ids)}\n`);
    }
    lastAt = at;
  }
  if (options.signal && options.cutAfter === undefined) return { signal: options.signal };
  if (options.cutAfter === undefined) return end(client, { code: 0 });
  const next = lines.find(({ record, number }) => number > cutAfter && record.direction === "in");
  if (options.halfLine && next) {
    const line = renamed(next.record.data as string, ids);
    await stage.output(line.slice(0, Math.ceil(line.length / 2)));
  }
  return options.signal ? { signal: options.signal } : { code: 1 };
}

function exitOf({ code, signal }: Readonly<Record<string, unknown>>): PlayerExit {
  return signal ? { signal: signal as NodeJS.Signals } : { code: Number(code ?? 0) };
}

async function end(client: ClientLines, exit: PlayerExit): Promise<PlayerExit> {
  if (POLITE_ENDS.includes("signal" in exit ? exit.signal : exit.code)) await client.end();
  return exit;
}

/** The client has left. What it said and nobody awaited tells a test's author why the recording went no further. */
function giveUp(stage: Stage, client: ClientLines, { kind, number }: { kind: string; number: number }) {
  const { unused } = client;
  const instead = unused.length === 0 ? "" : ` It sent instead: ${unused.join(", ")}.`;
  stage.stderr(`Line ${number} of the recording awaits "${kind}", and the input has ended.${instead}`);
  return { code: 0 };
}

/** The agent's line with the ids of the client of today. */
function renamed(line: string, ids: IdMap): string {
  if (ids.isEmpty) return line;
  const message = readMessage(line);
  return message ? JSON.stringify(ids.apply(message)) : line;
}
