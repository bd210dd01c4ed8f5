import { expect, test } from "vitest";
import { withoutDirectory } from "./relative-path.ts";

test("paths are told from the directory on", () => {
  expect(withoutDirectory("/home/ada/atlas/src/a.ts", "/home/ada/atlas")).toBe("src/a.ts");
  expect(withoutDirectory("cat /home/ada/atlas/a /home/ada/atlas/b", "/home/ada/atlas/")).toBe("cat a b");
  expect(withoutDirectory("/home/ada/atlas", "/home/ada/atlas")).toBe(".");
  expect(withoutDirectory("/home/ada/atlas-two/a", "/home/ada/atlas")).toBe("/home/ada/atlas-two/a");
  expect(withoutDirectory("/etc/hosts", undefined)).toBe("/etc/hosts");
  expect(withoutDirectory("/etc/hosts", "/")).toBe("/etc/hosts");
});
