import fc from "fast-check";
import { expect, test } from "vitest";
import {
  decodeEvents,
  encodeEvents,
  encodeFrame,
  FrameDecoder,
  MAX_BODY_BYTES,
  type PeerFrame,
} from "./peer-frame.ts";

/** Pieces of at most these lengths, again and again. */
function cut(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0, n = 0; at < bytes.length; n += 1) {
    const length = lengths[n % lengths.length]!;
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}

function decode(pieces: readonly Buffer[]): PeerFrame[] {
  const decoder = new FrameDecoder();
  return pieces.flatMap((piece) => [...decoder.push(piece)]);
}

test("frames come out as they went in, wherever the bytes are cut", () => {
  const frame = fc.record({
    kind: fc.constantFrom("events", "beat", "set"),
    words: fc.array(fc.stringMatching(/^[\w.-]{1,20}$/), { maxLength: 3 }),
    body: fc.string({ unit: "binary", maxLength: 300 }),
  });
  const lengths = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 10 }), lengths, (frames, sizes) => {
      const bytes = Buffer.concat(frames.map(({ kind, words, body }) => encodeFrame(kind, words, body)));
      const got = decode(cut(bytes, sizes));
      const wanted = frames.map(({ body, ...rest }) => ({ ...rest, body: Buffer.from(body).toString() }));
      expect(got.map(({ body, ...rest }) => ({ ...rest, body: body.toString() }))).toEqual(wanted);
    }),
  );
});

test("events keep their JSON and their numbers", () => {
  const events = [
    { seq: 7, json: '{"text":"ä\\n"}' },
    { seq: 8, json: '{"text":"😀"}' },
  ];
  const [frame] = decode([encodeEvents("s", events)]);
  expect(frame).toMatchObject({ kind: "events", words: ["s", "7", "8"] });
  expect(decodeEvents(frame!)).toEqual(events);
});

test("events that are too many for a frame are only announced", () => {
  const json = `"${"x".repeat(1024 * 1024)}"`;
  const events = [1, 2, 3].map((seq) => ({ seq, json }));
  expect(decode([encodeEvents("s", events)])).toMatchObject([{ kind: "news", words: ["s", "3"] }]);
});

test("a frame whose lines are not its events is none", () => {
  const [frame] = decode([encodeFrame("events", ["s", 1, 3], "{}\n{}\n")]);
  expect(decodeEvents(frame!)).toBeUndefined();
});

test.each(["x".repeat(2000), "events s -1\n", `events s ${MAX_BODY_BYTES + 1}\n`, "hello world\n"])(
  "what is no frame is refused",
  (text) => {
    expect(() => decode([Buffer.from(text)])).toThrow("does not speak our protocol");
  },
);
