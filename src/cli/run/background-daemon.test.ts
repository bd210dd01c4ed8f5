import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { post, run, serve, stop } from "../test-support.ts";
import { startInBackground } from "./background-daemon.ts";

let directory: string;
let data: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-background-"));
  data = join(directory, "data");
});

afterEach(() => rmSync(directory, { recursive: true }));

test("a daemon that cannot be started where it is to work is an error, not a crash", async () => {
  const gone = join(directory, "gone");
  await expect(startInBackground(data, gone, {})).rejects.toThrow(`No daemon can be started in ${gone}: `);
});

test("joining a session whose directory was removed names it in one line", async () => {
  const project = mkdtempSync(join(directory, "project-"));
  const daemon = await serve(["--data", data, "--root", project]);
  await post(daemon, "/v1/sessions", { id: "homeless", agent: "mock" });
  await stop(daemon);
  rmSync(project, { recursive: true });
  const { code, stderr } = await run(["join", "homeless", "--data", data]);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(
      /^interlingua: \S+project-\S+, where session homeless works, is no longer .*\n$/,
    ),
  });
});
