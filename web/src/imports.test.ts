/** What the page knows of the daemon: its types, and of its code only what every client runs. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const PAGE = import.meta.dirname;
const SOURCE = resolve(PAGE, "../../src");
const MAY_SEE = ["core/", "protocol/", "sdk/", "dialects/ai-sdk/index.ts"];
/** Code that is made for every client. */
const MAY_RUN = [
  "core/fold-messages.ts",
  "dialects/ai-sdk/library.ts",
  "core/is-cut-off.ts",
  "core/node-labels.ts",
  "core/session-summary.ts",
  "core/shell-command.ts",
  "protocol/read-event-stream.ts",
  "sdk/client.ts",
  "sdk/error.ts",
  "sdk/http.ts",
];

const files = readdirSync(PAGE, { recursive: true, encoding: "utf8" }).filter((path) => /\.tsx?$/.test(path));

test("the page imports nothing of the daemon but types of its language, its wire and the AI SDK dialect", () => {
  // Its tests may use what the tests of the daemon use.
  const own = files.filter((file) => !/\.test\.tsx?$/.test(file));
  const wrong = own.flatMap((file) => {
    const text = readFileSync(join(PAGE, file), "utf8");
    return [...text.matchAll(/^(import|export) (type )?[^;]*?from "(\.[^"]+)"/gms)].flatMap(
      ([, , type, name = ""]) => {
        const target = relative(SOURCE, resolve(PAGE, dirname(file), name));
        if (target.startsWith("../web/") || MAY_RUN.includes(target)) return [];
        return type && MAY_SEE.some((room) => target.startsWith(room)) ? [] : `${file} imports ${target}`;
      },
    );
  });
  expect(own.length).toBeGreaterThan(40);
  expect(wrong).toEqual([]);
});

test("the page names no other origin", () => {
  const named = files
    .filter((file) => !/\.test(-support)?\.ts$/.test(file))
    .flatMap((file) =>
      [...readFileSync(join(PAGE, file), "utf8").matchAll(/https?:\/\/[^\s"'`]+/g)].map(
        ([url]) => `${file} ${url}`,
      ),
    );
  expect(named).toEqual(["shell/token-gate.tsx http://127.0.0.1:4111/#token=…"]);
});
