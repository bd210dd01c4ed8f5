/** Whatever npm fetches for us is checked against a checksum that is committed. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
const PRESETS = join(ROOT, "src/install/presets");

interface LockEntry {
  readonly version?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

/** The packages of a lock without a checksum. */
function uncheckedPackages(file: string): [string, LockEntry][] {
  const { packages } = JSON.parse(readFileSync(file, "utf8")) as { packages: Record<string, LockEntry> };
  const fetched = Object.entries(packages).filter(([key, { link }]) => key !== "" && !link);
  expect(fetched.length).toBeGreaterThan(0);
  return fetched.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"));
}

const presets = readdirSync(PRESETS, { withFileTypes: true }).filter((entry) => entry.isDirectory());

test.each(presets.map(({ name }) => name))("every package of the preset %s has a checksum", (name) => {
  expect(uncheckedPackages(join(PRESETS, name, "package-lock.json"))).toEqual([]);
});

/** Only those that build and test Interlingua itself have them, and only for a platform of their own. */
test("of our own packages only tools for other platforms lack a checksum, where the registry told none", () => {
  const unchecked = uncheckedPackages(join(ROOT, "package-lock.json"));
  const isForAnotherPlatform = ([key, { os, cpu }]: [string, LockEntry]) =>
    !(os?.includes("linux") ?? false) || !(cpu?.includes("x64") ?? false) || key.endsWith("-musl");
  const inTheWay = unchecked.filter(
    (entry) => !entry[1].dev || !entry[1].optional || !entry[1].cpu || !isForAnotherPlatform(entry),
  );
  expect(inTheWay.map(([key]) => key)).toEqual([]);
});

test("no lock names the address of a registry", () => {
  const files = [
    join(ROOT, "package-lock.json"),
    ...presets.map(({ name }) => join(PRESETS, name, "package-lock.json")),
  ];
  for (const file of files) expect(readFileSync(file, "utf8")).not.toContain('"resolved"');
});
