/**
 * Hides secrets from other programs of the same user. `/proc/PID/environ` and `ps` show the environment that a process was
 * started with for as long as the process runs. Plain JavaScript, for old versions of Node too.
 */
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { OWN_SECRETS } from "./daemon-launch.js";

/** Names a descriptor or a private file. Its JSON object holds the variables that were kept out of our environment. */
export const SECRETS_VARIABLE = "INTERLINGUA_SECRETS_FROM";

/**
 * Other programs may see these. Node, its libraries and the dynamic linker read some of them before any of our code runs.
 * Others find processes by the markers, as we find agents by `INTERLINGUA_OWNER`.
 */
const HARMLESS = new Set([
  ...[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "PWD",
    "OLDPWD",
    "SHLVL",
    "TMPDIR",
    "TZ",
    "LANG",
    "LANGUAGE",
  ],
  ...["TERM", "COLORTERM", "COLUMNS", "LINES", "CI", "FORCE_COLOR", "NO_COLOR", "HOSTNAME", "DISPLAY"],
  ...[
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
  ],
  ...["OPENSSL_CONF", "OPENSSL_MODULES", "GLIBC_TUNABLES", "MALLOC_ARENA_MAX", "__CF_USER_TEXT_ENCODING"],
  ...["NODE_OPTIONS", "NODE_EXTRA_CA_CERTS", "NODE_ENV", "NODE_PATH", "NODE_V8_COVERAGE", "NODE_DEBUG"],
  ...["NODE_COMPILE_CACHE", "NODE_ICU_DATA", "NODE_NO_WARNINGS", "NODE_USE_ENV_PROXY", "NODE_USE_SYSTEM_CA"],
  ...["BUILD_ID", "JENKINS_NODE_COOKIE", "JENKINS_SERVER_COOKIE", "RUNNER_TRACKING_ID"],
  SECRETS_VARIABLE,
]);
const HARMLESS_START = /^(INTERLINGUA|LC|LD|DYLD|SSL_CERT|UV|XDG)_/;
const SECRET_NAME = /KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH|COOKIE/i;
const URL_WITH_USER = /:\/\/[^\s/?#]+@/;

function isHarmless(name, value) {
  if (URL_WITH_USER.test(value) || OWN_SECRETS.includes(name)) return false;
  return HARMLESS.has(name) || (HARMLESS_START.test(name) && !SECRET_NAME.test(name));
}

const FOLDER_PREFIX = "interlingua-secrets-";

/** Reads the variables from the descriptor or file, then closes or removes it. Throws a sentence. */
export function receiveSecrets(environment) {
  const source = environment[SECRETS_VARIABLE];
  if (!source) return {};
  delete environment[SECRETS_VARIABLE];
  const isDescriptor = /^\d+$/.test(source);
  try {
    const secrets = JSON.parse(readFileSync(isDescriptor ? Number(source) : source, "utf8"));
    if (typeof secrets !== "object" || !secrets || Array.isArray(secrets)) throw new Error("no object");
    // Children would inherit it.
    if (isDescriptor) closeSync(Number(source));
    else removeFile(source);
    return secrets;
  } catch (error) {
    throw new Error(
      `${SECRETS_VARIABLE}: "${source}" cannot be read (${error.code || "no JSON object"}). Only programs that start Interlingua set it: leave it out.`,
    );
  }
}

/** Removes the file, and its folder if `writeSecrets` made it. */
function removeFile(file) {
  rmSync(file);
  const folder = dirname(file);
  if (basename(folder).startsWith(FOLDER_PREFIX)) rmdirSync(folder);
}

/**
 * Takes every variable that may be a secret out of an environment, and returns these variables. Names and values do not
 * tell reliably what is secret, so only harmless names stay.
 */
export function takeSecrets(environment) {
  const secrets = {};
  for (const [name, value] of Object.entries(environment)) {
    if (isHarmless(name, value)) continue;
    secrets[name] = value;
    delete environment[name];
  }
  return secrets;
}

/** Puts the secrets that children may need back into the environment. Returns the others, which only Interlingua reads. */
export function keepOwn(secrets, environment) {
  const own = {};
  for (const [name, value] of Object.entries(secrets)) {
    if (OWN_SECRETS.includes(name)) own[name] = value;
    else environment[name] = value;
  }
  return own;
}

/**
 * Overwrites every variable that `takeSecrets` takes, in the memory that Linux shows as `/proc/PID/environ`. Call
 * `takeSecrets` before: `process.env` reads the same memory until a variable is set anew. Returns false where the system
 * has no such memory or does not allow writing to it.
 */
export function wipeInitialEnvironment() {
  let memory;
  try {
    const stat = readFileSync("/proc/self/stat", "latin1");
    // The second field is the name of the program, which may have spaces. The 50th is where the environment begins.
    const start = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[47]);
    memory = openSync("/proc/self/mem", "r+");
    for (const { from, length } of shownSecrets())
      writeSync(memory, Buffer.alloc(length), 0, length, start + from);
    return shownSecrets().length === 0;
  } catch {
    return false;
  } finally {
    if (memory !== undefined) closeSync(memory);
  }
}

/** The secret entries of `/proc/self/environ`, each by its bytes. The system does not require UTF-8. */
function shownSecrets() {
  const block = readFileSync("/proc/self/environ");
  const found = [];
  for (let from = 0; from < block.length; ) {
    const zero = block.indexOf(0, from);
    const end = zero < 0 ? block.length : zero;
    const [name, ...value] = block.toString("utf8", from, end).split("=");
    if (end > from && !isHarmless(name, value.join("="))) found.push({ from, length: end - from });
    from = end + 1;
  }
  return found;
}

/**
 * Writes secrets to a file for the program that replaces this process. Only this user can open the folder of the file.
 * The program removes both. Throws a sentence.
 */
export function writeSecrets(secrets) {
  let folder;
  try {
    folder = mkdtempSync(join(tmpdir(), FOLDER_PREFIX));
    const file = join(folder, "secrets");
    writeFileSync(file, JSON.stringify(secrets), { mode: 0o600, flag: "wx" });
    return file;
  } catch (error) {
    if (folder) rmSync(folder, { recursive: true, force: true });
    throw new Error(
      `the daemon restarts itself to hide its secrets, and cannot write them to a private file in ${tmpdir()} (${error.code}). Set TMPDIR to a directory that you can write to.`,
    );
  }
}
