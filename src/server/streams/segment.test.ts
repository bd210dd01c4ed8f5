import { expect, test } from "vitest";
import { frameOf } from "./frame.ts";
import { cutSegments, Segment } from "./segment.ts";

const events = (first: number, ...jsons: string[]) =>
  jsons.map((json, index) => ({ seq: first + index, json }));

test("the frame is one HTTP chunk with one SSE frame per event", () => {
  const { frame } = new Segment(events(7, '{"a":"é"}', "{}"));
  const text = 'id: 7\ndata: {"a":"é"}\n\nid: 8\ndata: {}\n\n';
  expect(frame.plain.toString()).toBe(text);
  expect(frame.chunked.toString()).toBe(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
});

test("the frame is made once", () => {
  const segment = new Segment(events(1, "{}"));
  expect(segment.frame).toBe(segment.frame);
  expect(segment.after(0)).toBe(segment);
});

test("what lies after a cursor", () => {
  const segment = new Segment(events(5, "a", "b", "c"));
  expect(segment.after(5).events).toEqual(events(6, "b", "c"));
  expect(segment.after(6).events).toEqual(events(7, "c"));
});

test("a batch is cut where it gets too long, and never inside an event", () => {
  const batch = events(1, "aaaa", "bbbb", "c", "dddddddddddd", "e");
  expect(cutSegments(batch, 9).map(({ first, last }) => [first, last])).toEqual([
    [1, 3],
    [4, 4],
    [5, 5],
  ]);
  expect(cutSegments(batch, 1000)).toHaveLength(1);
  expect(cutSegments([], 10)).toEqual([]);
});

test("a comment is a chunk of its own", () => {
  expect(frameOf(": x\n\n").chunked.toString()).toBe("5\r\n: x\n\n\r\n");
});

test("gives the same events when only its bytes are kept", () => {
  const all = events(5, '{"a":"é\\n"}', "{}", '{"data: ":"id: 1"}');
  const segment = new Segment(all);
  segment.compact();
  expect(segment.events).toBe(all);
  const { frame } = segment;
  segment.compact();
  expect(segment.events).not.toBe(all);
  expect(segment.events).toEqual(all);
  expect(segment.after(5).events).toEqual(all.slice(1));
  expect(segment.frame).toBe(frame);
});
