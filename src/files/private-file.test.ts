import { expect, it } from "vitest";
import { keepPrivateFile } from "./private-file.ts";

it.runIf(process.platform === "linux")("a file that cannot be written is told without a remedy", () => {
  // A directory in which nobody can make a file.
  expect(() => keepPrivateFile("/proc/self/daemon-id", () => "content")).toThrow(
    /^\/proc\/self\/daemon-id could not be written: E.*give another directory with --data\.$/,
  );
});
