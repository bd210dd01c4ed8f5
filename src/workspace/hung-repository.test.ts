import { expect, it, onTestFinished, vi } from "vitest";

let hungSuffix: string | undefined;

/** The workspace on a disk that does not answer for paths that end like this. */
async function importWithHungDisk() {
  const reader = "../files/regular-file.ts";
  vi.resetModules();
  onTestFinished(() => {
    vi.doUnmock(reader);
    vi.resetModules();
  });
  vi.doMock(reader, async (importOriginal) => {
    const original = await importOriginal<typeof import("../files/regular-file.ts")>();
    const { HungError } = await import("../files/read-gate.ts");
    const inspectFile: typeof original.inspectFile = async (path, options) => {
      if (hungSuffix !== undefined && path.endsWith(hungSuffix)) throw new HungError(path);
      return await original.inspectFile(path, options);
    };
    return { ...original, inspectFile };
  });
  return await import("./workspace-test-support.ts");
}

it("a disk that does not answer ends a checkpoint: ignored files do not become part of it", async () => {
  const { TestProject } = await importWithHungDisk();
  using project = new TestProject();
  project.git("init", "-q");
  project.write(".git/info/exclude", "secret\n");
  project.write("secret", "content\n");
  hungSuffix = "/.git/commondir";
  await expect(project.capture()).rejects.toThrow("/.git/commondir cannot be read");
  await expect(project.workspace.obstacle(project.directory)).rejects.toThrow("does not answer");
  hungSuffix = undefined;
  // It is remembered for some minutes.
  await expect(project.capture()).rejects.toThrow("does not answer");
});
