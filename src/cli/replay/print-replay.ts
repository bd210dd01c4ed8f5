/** Prints a replay, as one of its views or as the verdict of a comparison. */
import { RecordReplay } from "../../agents/replay/record-replay.ts";
import { print } from "../output.ts";
import type { ReplayFormat } from "./replay-format.ts";
import type { ReplaySource } from "./replay-source.ts";
import { REPLAY_VIEWS } from "./replay-views.ts";
import { verifyReplay } from "./verify-replay.ts";

/** One JSON object per line, each as soon as it is known. */
export async function printReplay(source: ReplaySource, format: ReplayFormat): Promise<void> {
  if (format === "raw") return printRecords(source);
  const view = REPLAY_VIEWS[format](source.protocol.name);
  const replay = new RecordReplay(source.protocol, source.options);
  for await (const record of source.records())
    printAll(replay.add(record).flatMap((event) => view.add(event)));
  if (!source.isOpen) printAll(replay.end().flatMap((event) => view.add(event)));
  printAll(view.end?.() ?? []);
}

/** Whether the replay equals what was stored. */
export async function printVerdict(source: ReplaySource): Promise<boolean> {
  const { difference, events, from, copied } = await verifyReplay(source);
  if (!difference) {
    const without = copied > 0 ? `, without ${copied} that were copied: verify them where they are from` : "";
    print(`The replay is the same as ${from} (events: ${events - copied}${without})`);
    return true;
  }
  print(`The replay differs from ${from} at seq ${difference.seq}.`);
  print(`stored:   ${JSON.stringify(difference.stored) ?? "nothing"}`);
  print(`replayed: ${JSON.stringify(difference.replayed) ?? "nothing"}`);
  return false;
}

async function printRecords(source: ReplaySource): Promise<void> {
  for await (const record of source.records()) print(JSON.stringify(record));
}

function printAll(objects: readonly unknown[]): void {
  for (const object of objects) print(JSON.stringify(object));
}
