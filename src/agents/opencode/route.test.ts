import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type FrameOwner, route } from "./route.ts";

const RECORDING = join(
  import.meta.dirname,
  "../../../test/fixtures/recordings/opencode/concurrent_two_dirs.jsonl",
);

/** The frames of the stream that tells of all directories. */
const frames = readFileSync(RECORDING, "utf8")
  .split("\n")
  .filter((line) => line.includes('"kind":"sse","stream":"global"') && !line.includes('"closed"'))
  .map((line) => JSON.parse(line).msg);

function expected({
  payload,
}: {
  payload: { type: string; properties?: { sessionID?: string } };
}): FrameOwner {
  const session = payload.properties?.sessionID;
  if (payload.type === "server.connected") return { kind: "everybody" };
  return session === undefined ? { kind: "nobody" } : { kind: "session", session };
}

it("tells from the bytes of a frame what reading it would tell", () => {
  expect(frames.length).toBeGreaterThan(200);
  for (const frame of frames) expect(route(JSON.stringify(frame))).toEqual(expected(frame));
});

it("knows the session of a sub-agent by the one it was started from", () => {
  const info = { id: "ses_child", parentID: "ses_main" };
  const payload = { id: "evt_1", type: "session.created", properties: { sessionID: "ses_child", info } };
  expect(route(JSON.stringify({ directory: "/", payload }))).toEqual({
    kind: "child",
    session: "ses_child",
    parent: "ses_main",
  });
});

it("is not misled by what is said", () => {
  const delta = '"sessionID":"ses_other" "payload":{"type":"sync"';
  const payload = { id: "evt_1", type: "message.part.delta", properties: { delta, sessionID: "ses_main" } };
  const frame = JSON.stringify({ directory: "/", payload });
  expect(route(frame)).toEqual({ kind: "session", session: "ses_main" });
});
