import { expect, test } from "vitest";
import { daemonFlags } from "./daemon-flags.ts";

test.each<[Record<string, string>, string]>([
  [{}, ""],
  [{ data: "/tmp/a-b_c.d" }, " --data /tmp/a-b_c.d"],
  [{ data: "/tmp/it's here" }, " --data '/tmp/it'\\''s here'"],
  [{ url: "http://127.0.0.1:4111/?a=b;c#token=secret" }, " --url http://127.0.0.1:4111"],
  [{ url: "http://127.0.0.1:4111", data: "/tmp/x" }, " --url http://127.0.0.1:4111"],
])("%j", (given, expected) => {
  expect(daemonFlags({ text: (name) => given[name] })).toBe(expected);
});
