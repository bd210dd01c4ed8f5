import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { promptWithMentions } from "../chat/mentioned-files.ts";
import { attachedFile } from "./attached-file.ts";

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), "il-attached-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

test.each([
  ["a link to a device", (path: string) => symlinkSync("/dev/zero", path), "is not a regular file"],
  ["a pipe", (path: string) => execFileSync("mkfifo", [path]), "is not a regular file"],
  ["a directory", (path: string) => mkdirSync(path), "is not a regular file"],
  [
    "a sparse file",
    (path: string) => {
      writeFileSync(path, "");
      truncateSync(path, 2 ** 31);
    },
    "is larger than",
  ],
  ["a link to nothing", (path: string) => symlinkSync("nowhere", path), "cannot be read (ENOENT)"],
])(
  "%s that a repository calls logo.png does not hang the command line or fill its memory",
  (_, make, said) => {
    const directory = temporary();
    make(join(directory, "logo.png"));
    expect(() => attachedFile(directory, "logo.png")).toThrow(said);
  },
);

test("the output of a command is attached with <(command)", () => {
  const module = pathToFileURL(join(import.meta.dirname, "attached-file.ts"));
  const script = `import { attachedFile } from "${module}"; console.log(attachedFile("/", process.argv[1]).url);`;
  const command = `"${process.execPath}" --input-type=module -e '${script}' <(printf kestrel)`;
  const url = execFileSync("bash", ["-c", command], { encoding: "utf8" }).trim();
  expect(url).toBe(`data:text/plain;base64,${Buffer.from("kestrel").toString("base64")}`);
});

test("a link to a file of the same user is attached, under the name it was given by", () => {
  const directory = temporary();
  writeFileSync(join(directory, "notes.txt"), "kestrel");
  symlinkSync("notes.txt", join(directory, "todo.md"));
  expect(attachedFile(directory, "todo.md")).toEqual({
    type: "file",
    url: `data:text/markdown;base64,${Buffer.from("kestrel").toString("base64")}`,
    mediaType: "text/markdown",
    filename: "todo.md",
  });
});

test("a picture that a prompt mentions and that is a pipe is named as missing", () => {
  const directory = temporary();
  execFileSync("mkfifo", [join(directory, "logo.png")]);
  expect(promptWithMentions("look at @logo.png", directory)).toEqual({
    input: "look at @logo.png",
    missing: ["logo.png"],
  });
});
