// Completes package-lock.json with the optional platform packages a registry mirror could not resolve.
// npm leaves such entries out of the lock and `npm ci` then refuses it. An entry without an address is enough: npm
// skips it on every platform but its own. Its integrity is asked for, and stays out where the registry has no answer.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";

const SYSTEMS = [
  "android",
  "darwin",
  "linux",
  "win32",
  "freebsd",
  "openbsd",
  "netbsd",
  "sunos",
  "aix",
  "openharmony",
];
const PROCESSORS = ["arm64", "x64", "arm", "ia32", "ppc64", "s390x", "riscv64", "loong64", "wasm32"];

const file = process.argv[2] ?? "package-lock.json";
const lock = JSON.parse(readFileSync(file, "utf8"));
let added = 0;

for (const parent of Object.values({ ...lock.packages })) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`;
    if (lock.packages[key] || !/^\d/.test(version)) continue;
    const words = name.split(/[-/]/);
    const os = SYSTEMS.filter((system) => words.includes(system));
    const cpu = PROCESSORS.filter((processor) => words.includes(processor));
    lock.packages[key] = {
      version,
      ...(cpu.length > 0 && { cpu }),
      ...(parent.dev && { dev: true }),
      optional: true,
      ...(os.length > 0 && { os }),
    };
    added += 1;
  }
}

// Without it npm brings the packages of every C library.
for (const [key, entry] of Object.entries(lock.packages)) {
  if (entry.optional && /[-/]musl\b/.test(key)) entry.libc ??= ["musl"];
}

const unchecked = findUnchecked();
for (const [key, entry] of unchecked) {
  const integrity = await askIntegrity(entry.name ?? key.split("node_modules/").at(-1), entry.version);
  if (integrity) lock.packages[key] = withIntegrity(entry, integrity);
}
const stillUnchecked = findUnchecked();

lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`added ${added} optional platform packages to ${file}`);
if (stillUnchecked.length > 0) {
  console.log(`without integrity, since the registry does not offer them: ${stillUnchecked.length}`);
}

/** Packages that come from the registry, without a checksum. A key outside node_modules is a folder of the repository. */
function findUnchecked() {
  return Object.entries(lock.packages).filter(
    ([key, entry]) => key.includes("node_modules/") && !entry.link && !entry.integrity,
  );
}

/** Undefined when the registry does not offer this version. */
async function askIntegrity(name, version) {
  try {
    const { stdout } = await promisify(execFile)("npm", ["view", `${name}@${version}`, "dist.integrity"]);
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Where npm would put it: behind the version. */
function withIntegrity({ version, ...rest }, integrity) {
  return { version, integrity, ...rest };
}
