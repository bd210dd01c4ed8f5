/** What the guides promise beyond names: messages that exist, variables, files, and a unit that systemd takes. */
import { execFileSync, spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { loadCommands } from "../src/cli/commands.ts";
import { SETTINGS } from "../src/config/settings.ts";
import { startDaemon } from "../src/daemon.ts";

const ROOT = resolve(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** The sources that ship, without tests. */
const SOURCES = globSync(["src/**/*.ts", "web/src/**/*.{ts,tsx}", "bin/*.js"], { cwd: ROOT })
  .filter((file) => !/test|\.generated\./.test(file))
  .map(read);

describe("docs/guides/troubleshooting.md", () => {
  const text = read("docs/guides/troubleshooting.md");
  const messages = [...text.matchAll(/^> (.*)$/gm)].map(([, message]) => message!);
  // As they read when they are printed: without the escapes of a string, and in one piece.
  const printed = SOURCES.map((source) => source.replaceAll(/["`] \+\n\s*["`]/g, "").replaceAll('\\"', '"'));

  test("quotes messages", () => expect(messages.length).toBeGreaterThan(15));

  test.each(messages)("a message says: %s", (message) => {
    const pieces = message.split("…").map((piece) => piece.trim());
    const isSaid = printed.some((source) => pieces.every((piece) => source.includes(piece)));
    expect(isSaid, `no source file has ${JSON.stringify(pieces)}`).toBe(true);
  });
});

test("docs/reference/environment.md has every variable of ours, and no other", async () => {
  const literal = SOURCES.flatMap((source) => source.match(/\bINTERLINGUA_[A-Z][A-Z_]*[A-Z]/g) ?? []);
  const declared = [
    ...Object.values(SETTINGS).map(({ variable }) => variable),
    ...(await loadCommands()).flatMap(({ options }) =>
      Object.values(options).flatMap(({ variable }) => variable ?? []),
    ),
  ];
  const documented = read("docs/reference/environment.md").matchAll(/^\| `(INTERLINGUA_\w+)`/gm);
  const names = new Set([...documented].map(([, name]) => name!));
  expect([...names].sort()).toEqual([...new Set([...literal, ...declared])].sort());
});

describe("docs/guides/operations.md", () => {
  const text = read("docs/guides/operations.md");

  test("names every file of a data directory", async () => {
    const directory = mkdtempSync(join(tmpdir(), "interlingua-data-"));
    const daemon = await startDaemon({ data: join(directory, "data"), port: 0, roots: [directory] });
    try {
      const section = text.slice(text.indexOf("## The data directory"), text.indexOf("## As a service"));
      const files = await readdir(join(directory, "data"));
      expect(files).toContain("interlingua.db");
      expect(
        files.filter((file) => !section.includes(`\`${file}\``) && !section.includes(`\`${file}/\``)),
      ).toEqual([]);
    } finally {
      await daemon.close();
      rmSync(directory, { recursive: true, force: true });
    }
  });

  test("names metrics that there are", async () => {
    const daemon = await startDaemon({ data: ":memory:", port: 0 });
    try {
      const headers = { authorization: `Bearer ${daemon.token}` };
      const metrics = await (await fetch(`${daemon.url}/metrics`, { headers })).text();
      const named = [...text.matchAll(/^\| `(interlingua_\w+)`/gm)].map(([, name]) => name!);
      expect(named.length).toBeGreaterThan(3);
      expect(named.filter((name) => !metrics.includes(`# TYPE ${name} `))).toEqual([]);
    } finally {
      await daemon.close();
    }
  });

  const unit = /```ini\n(.*?)```/s.exec(text)?.[1] ?? "";
  const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
  if (!hasSystemd) console.warn("\n!!! THE SYSTEMD UNIT IS NOT CHECKED: there is no systemd-analyze here.\n");

  test.skipIf(!hasSystemd)("has a unit that systemd takes", () => {
    const directory = mkdtempSync(join(tmpdir(), "interlingua-unit-"));
    try {
      const file = join(directory, "interlingua.service");
      // The program has to be there: ours stands for the clone in the home of the user.
      writeFileSync(file, unit.replace("%h/interlingua/", `${ROOT}/`));
      const runtime = join(directory, "runtime");
      mkdirSync(runtime, { mode: 0o700 });
      const { status, stderr } = spawnSync("systemd-analyze", ["--user", "verify", file], {
        encoding: "utf8",
        env: { ...process.env, XDG_RUNTIME_DIR: runtime },
      });
      // It exits with 0 for a key that it does not know, and only says so.
      const complaints = stderr.split("\n").filter((line) => line.includes("interlingua.service"));
      expect({ status, complaints }).toEqual({ status: 0, complaints: [] });
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });

  test("the unit's command has flags that serve knows", () => {
    const command = /^ExecStart=\S+ (.*)$/m.exec(unit)?.[1] ?? "";
    const flags = command.match(/--[a-z-]+/g) ?? [];
    const help = execFileSync(process.execPath, [join(ROOT, "bin/interlingua.js"), "serve", "--help"], {
      encoding: "utf8",
    });
    expect(command).toMatch(/^serve /);
    expect(flags.filter((flag) => !help.includes(flag))).toEqual([]);
  });
});
