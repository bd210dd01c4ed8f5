import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { FULL_ACCESS } from "../../core/ownership.ts";
import { SessionFiles, type SessionFilesOptions } from "./session-files.ts";
import { aboutPieces } from "./stored-files.ts";

it("a wait for restore after restore does not pile up listeners", async () => {
  const { signal } = new AbortController();
  const id = "a".repeat(40);
  const captured = { head: id, tree: id, commit: id, bases: [] };
  const pieces = aboutPieces(0, { ...captured, at: "elsewhere", seq: 0, earlier: [], packNext: 0 });
  const listeners: number[] = [];
  const inRestore = {
    isHeld: () => listeners.length < 20,
    released: async () => void listeners.push(getEventListeners(signal, "abort").length),
    hold: () => () => {},
  };
  const files = new SessionFiles({
    log: {
      state: { id: "s", cwd: "/", head: 1 },
      access: FULL_ACCESS,
      claim: { node: 1, epoch: 0 },
      remember() {},
    },
    services: {
      gitFiles: { daemon: "here", travels: () => true, layDown: async () => undefined },
      store: {
        readMemory: () => ReadableStream.from(pieces),
        readEvents: async () => ({ events: [], head: 1 }),
      },
      inRestore,
      turns: { liveStates: () => [] },
    },
    notice() {},
  } as unknown as SessionFilesOptions);
  await files.bring(signal);
  expect(listeners).toEqual(Array.from({ length: 20 }, () => 1));
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
