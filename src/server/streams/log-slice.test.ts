import { expect, test } from "vitest";
import { frameOf } from "./frame.ts";
import { cutSlices, LogSlice } from "./log-slice.ts";

const events = (first: number, ...jsons: string[]) =>
  jsons.map((json, index) => ({ seq: first + index, json }));

test("the frame is one HTTP chunk with one SSE frame per event", () => {
  const { frame } = new LogSlice(events(7, '{"a":"é"}', "{}"));
  const text = 'id: 7\ndata: {"a":"é"}\n\nid: 8\ndata: {}\n\n';
  expect(frame.plain.toString()).toBe(text);
  expect(frame.chunked.toString()).toBe(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
});

test("the frame is made once", () => {
  const slice = new LogSlice(events(1, "{}"));
  expect(slice.frame).toBe(slice.frame);
  expect(slice.after(0)).toBe(slice);
});

test("what lies after a cursor", () => {
  const slice = new LogSlice(events(5, "a", "b", "c"));
  expect(slice.after(5).events).toEqual(events(6, "b", "c"));
  expect(slice.after(6).events).toEqual(events(7, "c"));
});

test("a batch is cut where it gets too long, and never inside an event", () => {
  const batch = events(1, "aaaa", "bbbb", "c", "dddddddddddd", "e");
  expect(cutSlices(batch, 9).map(({ first, last }) => [first, last])).toEqual([
    [1, 3],
    [4, 4],
    [5, 5],
  ]);
  expect(cutSlices(batch, 1000)).toHaveLength(1);
  expect(cutSlices([], 10)).toEqual([]);
});

test("a comment is a chunk of its own", () => {
  expect(frameOf(": x\n\n").chunked.toString()).toBe("5\r\n: x\n\n\r\n");
});

test("gives the same events when only its bytes are kept", () => {
  const all = events(5, '{"a":"é\\n"}', "{}", '{"data: ":"id: 1"}');
  const slice = new LogSlice(all);
  slice.compact();
  expect(slice.events).toBe(all);
  const { frame } = slice;
  slice.compact();
  expect(slice.events).not.toBe(all);
  expect(slice.events).toEqual(all);
  expect(slice.after(5).events).toEqual(all.slice(1));
  expect(slice.frame).toBe(frame);
});
