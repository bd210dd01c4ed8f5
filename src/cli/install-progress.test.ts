import { expect, test } from "vitest";
import { InstallProgressLine } from "./install-progress.ts";

function output(isTTY: boolean) {
  let text = "";
  const write = (more: string | Uint8Array) => {
    text += more;
    return true;
  };
  return { isTTY, write, text: () => text };
}

const MB = 1_000_000;

function play(isTTY: boolean): string {
  const stream = output(isTTY);
  const line = new InstallProgressLine("tool", stream);
  line.show({ phase: "preparing" });
  for (const bytes of [0, 10, 20, 60, 61, 100]) {
    line.show({ phase: "downloading", bytes: bytes * MB, total: 100 * MB });
  }
  line.show({ phase: "finishing" });
  line.end();
  return stream.text();
}

test("a terminal gets one line that is redrawn", () => {
  const text = play(true);
  expect(text).not.toContain("\n");
  expect(text.split("\r\u001b[K").slice(1)).toEqual([
    "tool: preparing",
    "tool: downloading, 0 of 100 MB (0 %)",
    "tool: downloading, 10 of 100 MB (10 %)",
    "tool: downloading, 20 of 100 MB (20 %)",
    "tool: downloading, 60 of 100 MB (60 %)",
    "tool: downloading, 61 of 100 MB (61 %)",
    "tool: downloading, 100 of 100 MB (100 %)",
    "tool: finishing",
    "",
  ]);
});

test("a file gets a few lines", () => {
  expect(play(false)).toBe(
    [
      "interlingua: tool: preparing",
      "interlingua: tool: downloading, 0 of 100 MB (0 %)",
      "interlingua: tool: downloading, 60 of 100 MB (60 %)",
      "interlingua: tool: downloading, 100 of 100 MB (100 %)",
      "interlingua: tool: finishing",
      "",
    ].join("\n"),
  );
});
