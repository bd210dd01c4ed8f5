import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Git } from "./git.ts";
import { confirmLock, underLock } from "./lock-context.ts";

it("processes that work under a lock can be told by their environment, others cannot", async () => {
  const folder = mkdtempSync(join(tmpdir(), "il-lock-"));
  try {
    const git = new Git(join(folder, "store"), folder);
    await git.create();
    const settings = ["alias.look=!printenv OWNER_FOR_TEST || echo nobody"];
    const look = () => git.line(["look"], { settings });
    const lock = { confirm: async () => {}, isHeld: () => true, environment: { OWNER_FOR_TEST: "me" } };
    expect(await underLock(lock, look)).toBe("me");
    expect(await look()).toBe("nobody");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it("there is nothing to confirm without a lock that can be lost", async () => {
  expect(confirmLock()).toBeUndefined();
  const lost = { confirm: () => Promise.reject(new Error("lost")), isHeld: () => false, environment: {} };
  await expect(underLock(lost, async () => confirmLock())).rejects.toThrow("lost");
});
