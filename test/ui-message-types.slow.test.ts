/** The types for `useChat` in a program of somebody else, with every version of `ai` that the guide names. */
import { execFile } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import { installLocked } from "./locked-packages.ts";

const ROOT = resolve(import.meta.dirname, "..");
const PACKAGES = join(ROOT, "node_modules");

const PROGRAM = `
import type { UIMessage } from "ai";
import type { DataParts, InterlinguaUIMessage, MessageMetadata } from "interlingua/ai-sdk";

type Message = UIMessage<MessageMetadata, DataParts>;

export function describe(message: Message): string {
  const same: InterlinguaUIMessage = message;
  const words = same.parts.map((part) => {
    if (part.type === "data-notice") return part.data.text;
    if (part.type === "data-plan") return part.data.entries.map(({ text }) => text).join();
    // @ts-expect-error An ask has a title, and no text.
    if (part.type === "data-ask") return part.data.text ?? part.data.title;
    // @ts-expect-error There is no such part.
    if (part.type === "data-asks") return "";
    return part.type === "text" ? part.text : "";
  });
  // @ts-expect-error Metadata has no such field.
  void message.metadata?.models;
  return [message.metadata?.model, ...words].join();
}
`;

let directory = "";

afterEach(() => rmSync(directory, { recursive: true }));

/** What the compiler says of a program. */
async function compile(file: string, program: string, ai: string): Promise<string> {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-types-")));
  writeFileSync(join(directory, file), program);
  mkdirSync(join(directory, "node_modules"));
  for (const name of ["@ai-sdk", "react", "@types"])
    symlinkSync(join(PACKAGES, name), join(directory, "node_modules", name));
  const compilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, jsx: "react-jsx", allowImportingTsExtensions: true },
    ...{ target: "es2024", lib: ["es2024", "dom", "esnext.disposable"], types: ["node"] },
    ...{ module: "esnext", moduleResolution: "bundler" },
    paths: { ai: [ai], "interlingua/ai-sdk": [join(ROOT, "src/dialects/ai-sdk/library.ts")] },
  };
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions, include: [file] }));
  const compiler = promisify(execFile)(join(PACKAGES, ".bin/tsc"), ["-p", directory]);
  return compiler.then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  );
}

test.each(["ai-v6", "ai-v6-strict", "ai-v7-strict", "ai"])(
  "UIMessage<MessageMetadata, DataParts> did not compile: data parts had no index signature (%s)",
  async (name) => {
    const packages =
      name === "ai" ? PACKAGES : join(await installLocked(join(ROOT, "test/clients")), "node_modules");
    expect(await compile("program.ts", PROGRAM, join(packages, name))).toBe("");
  },
  120_000,
);

test("the program of the guide compiles", async () => {
  const guide = readFileSync(join(ROOT, "docs/guides/use-chat.md"), "utf8");
  const [, program = ""] = /^```tsx\n(.*?)^```/ms.exec(guide)!;
  expect(program).toContain("InterlinguaUIMessage");
  expect(await compile("program.tsx", program, join(PACKAGES, "ai"))).toBe("");
}, 120_000);
