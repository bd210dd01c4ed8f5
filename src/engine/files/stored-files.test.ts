import { expect, it } from "vitest";
import { type AboutFiles, aboutPieces, readStoredFiles } from "./stored-files.ts";

const ID = "0123456789abcdef0123456789abcdef01234567";

const ABOUT: AboutFiles = {
  head: ID,
  branch: "main",
  tree: ID,
  commit: ID,
  bases: [ID],
  at: "daemon",
  seq: 3,
  earlier: [ID],
  packNext: 1,
};

async function read(about: object) {
  const pieces = aboutPieces(0, about as AboutFiles);
  return (await readStoredFiles({ readMemory: () => ReadableStream.from(pieces) }, "s")).about;
}

it("gives what was stored, with ids of both kinds", async () => {
  expect(await read(ABOUT)).toEqual(ABOUT);
  const { branch: _, ...detached } = { ...ABOUT, tree: "a".repeat(64) };
  expect(await read(detached)).toEqual(detached);
});

const damaged: Record<string, object> = {
  "an option instead of a commit": { ...ABOUT, head: "--output=/etc/passwd" },
  "a short id": { ...ABOUT, tree: ID.slice(1) },
  "an id with more after it": { ...ABOUT, commit: `${ID}\n` },
  "no id": { ...ABOUT, commit: undefined },
  "an option among the bases": { ...ABOUT, bases: [ID, "--all"] },
  "no list of bases": { ...ABOUT, bases: ID },
  "an earlier tree that is none": { ...ABOUT, earlier: [1] },
  "a branch that looks like an option": { ...ABOUT, branch: "-f" },
  "no number": { ...ABOUT, packNext: "1" },
  "something else": [],
};

for (const [what, about] of Object.entries(damaged)) {
  it(`refuses ${what}`, async () => {
    await expect(read(about)).rejects.toMatchObject({ code: "session_damaged" });
  });
}
