/** The person's repository while agents work, files go back and checkpoints come: nothing of ours is in it. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startDaemon } from "../../src/daemon.ts";
import { Interlingua } from "../../src/sdk/index.ts";
import { readRepository } from "../../src/workspace/workspace-test-support.ts";
import { AFTER, BEFORE, Project } from "./project.ts";

const HOOKS = [
  "post-index-change",
  "pre-commit",
  "post-checkout",
  "reference-transaction",
  "fsmonitor-watchman",
];

test("it is byte for byte as before, with the times of its files, and no hook, filter or monitor has run", async () => {
  using project = new Project();
  const { data, root } = project;
  const trace = join(root, "..", "trace");
  const program = join(root, ".git/hooks/trace");
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> '${trace}'\ncat\n`, { mode: 0o755 });
  for (const hook of HOOKS)
    writeFileSync(join(root, ".git/hooks", hook), `#!/bin/sh\n'${program}' ${hook}\n`, { mode: 0o755 });
  project.write(".gitattributes", "*.txt filter=trace\n");
  project.write("stashed.txt", "stashed\n");
  project.git("add", "stashed.txt");
  project.git("-c", "user.name=a", "-c", "user.email=a@example.com", "stash", "-q");
  project.write("staged.txt", "staged\n");
  project.git("add", "staged.txt");
  for (const [name, value] of [
    ["filter.trace.clean", `${program} clean`],
    ["filter.trace.smudge", `${program} smudge`],
    ["filter.trace.required", "true"],
    ["core.fsmonitor", program],
    ["core.autocrlf", "true"],
  ] as const)
    project.git("config", name, value);
  const repository = () => readRepository(join(root, ".git"));
  writeFileSync(trace, "");
  const before = repository();

  const daemon = await startDaemon({ port: 0, data, roots: [root], checkpoints: "on" });
  onTestFinished(() => daemon.close());
  const client = await Interlingua.connect({ baseUrl: daemon.url, token: daemon.token });
  onTestFinished(() => client.dispose());
  const session = await client.sessions.create({ agent: "mock", cwd: root, options: { pace: 0 } });
  await session.prompt("scenario:files").text();
  expect(project.files).toEqual(AFTER);
  await session.reset({ preview: true });
  const restored = await session.reset({});
  expect(project.files).toEqual(BEFORE);
  await session.restore({ checkpoint: restored.checkpoint! });
  expect(project.files).toEqual(AFTER);
  await session.approve();
  await session.changes({ since: restored.checkpoint });
  await session.delete();
  expect(repository()).toEqual(before);
  expect(existsSync(trace) && project.read("../trace")).toBe("");
});
