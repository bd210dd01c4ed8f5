import fc from "fast-check";
import { expect, it } from "vitest";
import { LineSplitter } from "../../process/line-splitter.ts";
import { lineText, parseLine } from "./line-text.ts";

const textOf = (bytes: Buffer, maxLineBytes?: number) =>
  lineText(new LineSplitter({ maxLineBytes }).push(Buffer.concat([bytes, Buffer.from("\n")]))[0]!);

it("keeps every line exactly, also one that is not UTF-8", () => {
  const line = fc.uint8Array().filter((bytes) => !bytes.includes(10) && bytes.at(-1) !== 13);
  fc.assert(
    fc.property(line, (bytes) => {
      const text = textOf(Buffer.from(bytes));
      const prefix = "data:application/octet-stream;base64,";
      const kept = text.startsWith(prefix)
        ? Buffer.from(text.slice(prefix.length), "base64")
        : Buffer.from(text);
      expect(kept).toEqual(Buffer.from(bytes));
    }),
  );
});

it("reads objects, and tells why it cannot", () => {
  expect(parseLine('{"a":1}')).toEqual({ kind: "message", message: { a: 1 } });
  expect(parseLine(" ")).toEqual({ kind: "blank" });
  const whyNot = (text: string) => {
    const parsed = parseLine(text);
    return parsed.kind === "unreadable" && parsed.draft.type === "agent.unknown" && parsed.draft.native;
  };
  expect(whyNot("oops")).toBe("not-json");
  expect(whyNot('"text"')).toBe("not-an-object");
  expect(whyNot(textOf(Buffer.from([0xc3, 0x28])))).toBe("not-utf-8");
  expect(whyNot(textOf(Buffer.from('{"a":"too long"}'), 8))).toBe("overlong-line");
});

it("marks a line that was cut, with its length", () => {
  expect(textOf(Buffer.from("123456789"), 4)).toBe("1234\n[cut: the line had 9 bytes]");
});

it("repeats only the beginning of a long line in the draft", () => {
  const parsed = parseLine("x".repeat(1000));
  expect(parsed.kind === "unreadable" && parsed.draft).toEqual({
    type: "agent.unknown",
    native: "not-json",
    text: `${"x".repeat(200)}…`,
  });
});
