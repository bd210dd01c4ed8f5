/**
 * Opens a link with a token in the browser of whoever sits here. The arguments of a program can be seen by every user of
 * the machine, so the browser gets a private file that leads on to the link.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { splitSecrets } from "../process/hand-over-secrets.ts";

/** By then every browser has read it. */
const KEEP_MS = 60_000;
/** An opener that is still there then is the browser itself. */
const HANDED_OVER_MS = 3_000;

const REMOVE_LATER =
  "setTimeout(() => require('node:fs').rmSync(process.argv[1], { recursive: true, force: true }), process.argv[2])";

export interface OpenOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly platform?: NodeJS.Platform;
  /** How long the file is kept. */
  readonly keepMs?: number;
  /** How long an opener may take to hand the file over. */
  readonly handedOverMs?: number;
}

/** False where there is no browser to open. */
export async function openInBrowser(link: string, options: OpenOptions): Promise<boolean> {
  const openers = openersOf(options);
  if (openers.length === 0) return false;
  const folder = mkdtempSync(join(tmpdir(), "interlingua-open-"));
  try {
    const file = join(folder, "interlingua.html");
    writeFileSync(file, redirectTo(link), { mode: 0o600 });
    for (const opener of openers) if (await opens(opener(file), options)) return true;
    return false;
  } finally {
    removeLater(folder, options.keepMs ?? KEEP_MS);
  }
}

type Opener = (file: string) => [string, ...string[]];

/** `BROWSER` is a list separated by colons, each with `%s` for the file, or without. `none` opens nothing. */
function openersOf({ environment, platform = process.platform }: OpenOptions): Opener[] {
  const chosen = environment.BROWSER?.trim();
  if (chosen) return chosen === "none" ? [] : chosen.split(":").flatMap(chosenOpener);
  if (platform === "darwin") return [(file) => ["open", file]];
  if (platform === "win32") return [(file) => ["cmd", "/c", "start", "", file]];
  return environment.DISPLAY || environment.WAYLAND_DISPLAY ? [(file) => ["xdg-open", file]] : [];
}

function chosenOpener(text: string): Opener[] {
  const [program, ...args] = text.trim().split(/\s+/);
  if (!program) return [];
  const hasPlace = args.some((word) => word.includes("%s"));
  return [
    (file) => [program, ...args.map((word) => word.replaceAll("%s", file)), ...(hasPlace ? [] : [file])],
  ];
}

async function opens([program, ...args]: [string, ...string[]], options: OpenOptions): Promise<boolean> {
  const { INTERLINGUA_URL: _url, ...environment } = options.environment;
  const { environment: env } = splitSecrets(environment);
  // In a group of its own: Ctrl-C here is not meant for it.
  const child = spawn(program, args, { env, detached: true, stdio: "ignore" });
  child.unref();
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), options.handedOverMs ?? HANDED_OVER_MS);
    const end = (isOpen: boolean) => {
      clearTimeout(timer);
      resolve(isOpen);
    };
    child.once("error", () => end(false));
    child.once("exit", (code) => end(code === 0));
  });
}

/** By a process of its own: the command ends at once, and a browser takes a moment to start. */
function removeLater(folder: string, ms: number): void {
  const child = spawn(process.execPath, ["-e", REMOVE_LATER, folder, String(ms)], {
    detached: true,
    stdio: "ignore",
    env: {},
  });
  child.on("error", () => {});
  child.unref();
}

function redirectTo(link: string): string {
  const address = link.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return [
    "<!doctype html>",
    '<meta charset="utf-8">',
    '<meta name="referrer" content="no-referrer">',
    `<meta http-equiv="refresh" content="0;url=${address}">`,
    "<title>Interlingua</title>",
    `<p><a href="${address}">Open Interlingua</a></p>`,
    "",
  ].join("\n");
}
