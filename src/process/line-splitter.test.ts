import { isUtf8 } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Line, LineSplitter, OVERLONG_HEAD_BYTES, readableText } from "./line-splitter.ts";

function split(chunks: Buffer[], maxLineBytes?: number): Line[] {
  const splitter = new LineSplitter({ maxLineBytes });
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
}

/** Cuts bytes at the given places, in any order, with repeats giving empty chunks. */
function cut(bytes: Buffer, places: number[]): Buffer[] {
  const edges = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
}

/** The expected lines by other means: latin1 gives every byte one character, so string splitting is exact here. */
function expected(bytes: Buffer, maxLineBytes = Number.POSITIVE_INFINITY): Line[] {
  const pieces = bytes.toString("latin1").split("\n");
  const rest = pieces.pop()!;
  const toLine = (piece: string): Line => {
    if (piece.length > maxLineBytes) {
      const head = piece.slice(0, Math.min(OVERLONG_HEAD_BYTES, maxLineBytes));
      return { kind: "overlong", bytes: Buffer.from(head, "latin1"), length: piece.length };
    }
    const kept = Buffer.from(piece.replace(/\r$/, ""), "latin1");
    return isUtf8(kept) ? { kind: "line", text: kept.toString() } : { kind: "binary", bytes: kept };
  };
  return [...pieces.map(toLine), ...(rest === "" ? [] : [{ ...toLine(rest), unterminated: true as const }])];
}

/** Bytes in which line endings are as common as everything else together. */
const streams = fc
  .array(
    fc.oneof(
      fc.constantFrom([10], [13]),
      fc.integer({ min: 0, max: 255 }).map((byte) => [byte]),
      fc.string({ unit: "binary", maxLength: 2 }).map((text) => [...Buffer.from(text)]),
    ),
    { maxLength: 200 },
  )
  .map((pieces) => Buffer.from(pieces.flat()));
const cuts = fc.array(fc.nat(), { maxLength: 30 });

describe("LineSplitter", () => {
  it("gives the same lines however the stream was cut", () => {
    fc.assert(
      fc.property(streams, cuts, (bytes, places) => {
        expect(split(cut(bytes, places))).toEqual(expected(bytes));
      }),
    );
  });

  it("gives the same lines however the stream was cut, with a cap", () => {
    fc.assert(
      fc.property(streams, cuts, fc.integer({ min: 0, max: 20 }), (bytes, places, cap) => {
        expect(split(cut(bytes, places), cap)).toEqual(expected(bytes, cap));
      }),
    );
  });

  it("keeps what readline would cut or tear: U+2028, a lone carriage return, split characters", () => {
    const texts = ['{"text":"a\u2028b\u2029c\u0085d"}', "progress 1\rprogress 2", "🜁é漢字"];
    const everyByteAlone = [...Buffer.from(`${texts.join("\n")}\n`)].map((byte) => Buffer.from([byte]));
    expect(split(everyByteAlone).map((line) => readableText(line))).toEqual(texts);
  });

  it("takes off one carriage return, also when it came in an earlier chunk", () => {
    const lines = split([Buffer.from("a\r\r"), Buffer.from("\nb\r"), Buffer.from("\n\r\n\n")]);
    expect(lines.map((line) => readableText(line))).toEqual(["a\r", "b", "", ""]);
  });

  it("reports a line over the cap by head and length, then goes on with the next line", () => {
    const long = Buffer.alloc(3 * OVERLONG_HEAD_BYTES, "x");
    const stream = Buffer.concat([Buffer.from("before\n"), long, Buffer.from("\nafter\n")]);
    const chunks = cut(
      stream,
      Array.from({ length: 40 }, (_, index) => index * 333),
    );
    expect(split(chunks, 2 * OVERLONG_HEAD_BYTES)).toEqual([
      { kind: "line", text: "before" },
      { kind: "overlong", bytes: long.subarray(0, OVERLONG_HEAD_BYTES), length: long.length },
      { kind: "line", text: "after" },
    ]);
  });

  it("lets a line of exactly the cap pass", () => {
    expect(split([Buffer.from("12345\n123456\n")], 5).map((line) => line.kind)).toEqual(["line", "overlong"]);
  });

  it("does not keep the bytes of a line that is over the cap", () => {
    const chunk = Buffer.alloc(1024 * 1024, "x");
    const splitter = new LineSplitter({ maxLineBytes: 8 * OVERLONG_HEAD_BYTES });
    for (let count = 0; count < 1000; count += 1) expect(splitter.push(chunk)).toEqual([]);
    expect(splitter.end()).toEqual([
      {
        kind: "overlong",
        bytes: chunk.subarray(0, OVERLONG_HEAD_BYTES),
        length: 1000 * chunk.length,
        unterminated: true,
      },
    ]);
  });

  it("marks a last line without a newline and can be used again after the end", () => {
    const splitter = new LineSplitter();
    expect(splitter.push(Buffer.from("half"))).toEqual([]);
    expect(splitter.end()).toEqual([{ kind: "line", text: "half", unterminated: true }]);
    expect(splitter.end()).toEqual([]);
    expect(splitter.push(Buffer.from("whole\n"))).toEqual([{ kind: "line", text: "whole" }]);
  });
});
