import { chmodSync, existsSync } from "node:fs";
import { expect, it } from "vitest";
import { openFileLister } from "./list-files.ts";
import { SESSION, TestProject } from "./workspace-test-support.ts";

const PROGRAM_SETTINGS = [
  "core.fsmonitor",
  "core.pager",
  "core.editor",
  "core.askPass",
  "core.sshCommand",
  "core.gitProxy",
  "core.alternateRefsCommand",
  "pager.config",
  "pager.ls-files",
  "diff.external",
  "diff.evil.command",
  "diff.evil.textconv",
  "filter.evil.clean",
  "filter.evil.smudge",
  "filter.evil.process",
  "merge.evil.driver",
  "credential.helper",
  "gpg.program",
  "gpg.ssh.program",
  "sequence.editor",
  "uploadpack.packObjectsHook",
  "trailer.evil.command",
  "trailer.evil.cmd",
  "remote.origin.uploadpack",
  "remote.origin.receivepack",
  "remote.origin.vcs",
];

it("no setting of a repository starts a program when it has checkpoints, restores and lists of files", async () => {
  using project = new TestProject();
  project.git("init", "-q", "-b", "main");
  project.write("file", "first\n");
  project.write("sub/file", "first\n");
  project.git("add", ".");
  project.git("-c", "user.name=a", "-c", "user.email=a@localhost", "commit", "-q", "-m", "first");
  project.write("../evil", `#!/bin/sh\ntouch ${project.base}/ran\ncat\n`);
  const evil = `${project.base}/evil`;
  chmodSync(evil, 0o755);
  project.write(".gitattributes", "* filter=evil diff=evil merge=evil\n");
  for (const hook of ["post-index-change", "reference-transaction", "post-checkout", "pre-commit"])
    project.write(`.git/hooks/${hook}`, `#!/bin/sh\ntouch ${project.base}/ran\n`, 0o755);
  for (const setting of PROGRAM_SETTINGS) project.git("config", setting, evil);
  for (const command of ["ls-files", "rev-parse", "config", "check-ignore"])
    project.git("config", `alias.${command}`, `!${evil}`);
  project.git("config", "submodule.recurse", "true");

  const directory = project.path("sub");
  const before = (await project.workspace.capture({ session: SESSION, directory })).id;
  project.write("sub/file", "second\n");
  const after = (await project.workspace.capture({ session: SESSION, directory })).id;
  await project.workspace.compare({ directory, from: before, to: after });
  const plan = await project.workspace.plan({
    ...{ session: SESSION, directory, target: before, turns: [{ before, after }], onConflict: "merge" },
  });
  await project.workspace.apply({ directory, plan });
  expect(project.read("sub/file")).toBe("first\n");
  expect((await openFileLister().list(project.directory)).paths).toContain("sub/file");
  expect(await project.workspace.obstacle(directory)).toBeUndefined();
  expect(existsSync(`${project.base}/ran`)).toBe(false);
});
