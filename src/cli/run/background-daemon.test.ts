import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readDaemonInfo } from "../../store/sqlite/data-directory-lock.ts";
import { post, run, SURROUNDINGS, serve, stop } from "../test-support.ts";
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

test("a daemon in the background keeps the roots of the config file, beside the directory it is started for", async () => {
  const [here, configured] = [join(directory, "here"), join(directory, "configured")];
  for (const folder of [here, configured, data]) mkdirSync(folder);
  writeFileSync(join(data, "config.json"), JSON.stringify({ roots: [configured] }));
  await startInBackground(data, here, SURROUNDINGS);
  expect(readDaemonInfo(data)?.roots).toEqual([here, configured]);
  expect(await run(["stop", "--data", data])).toMatchObject({ code: 0 });
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
