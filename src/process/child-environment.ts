/** The environment of an agent's process, by an allow list: everything else stays out, above all our token. */
import { searchPath } from "../core/search-path.ts";
import { OWNER_VARIABLE } from "./owner-marker.ts";

export interface ChildEnvironmentOptions {
  /** The daemon's own environment. */
  readonly parent: NodeJS.ProcessEnv;
  /** Names or `PREFIX_*` patterns of the agent's own keys; `!NAME` leaves one out of what a prefix lets in. */
  readonly keys: readonly string[];
  /** Names or `PREFIX_*` patterns the config passes on. */
  readonly pass: readonly string[];
  /** Values on top of what comes from the parent. */
  readonly extra: Readonly<Record<string, string>>;
  /** Comes last in the `PATH`, for scripts that need a Node where the user has none. */
  readonly nodeDirectory?: string;
  /** The value of `INTERLINGUA_OWNER`. */
  readonly owner: string;
}

const ALLOWED = [
  ...["PATH", "HOME", "SHELL", "USER", "LOGNAME", "TERM", "TZ", "LANG", "LC_*"],
  ...["TMPDIR", "TMP", "TEMP", "XDG_*", "SSH_AUTH_SOCK"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"],
  ...["http_proxy", "https_proxy", "no_proxy", "all_proxy"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"],
];

/**
 * Never passed on, whatever a list says: npm's settings and Node's options were meant for us, `INTERLINGUA_*` holds the
 * token.
 */
const FORBIDDEN = ["npm_*", "NODE_OPTIONS", "INTERLINGUA_*"];

/**
 * @example
 * childEnvironment({ parent: process.env, keys: ["ANTHROPIC_*"], pass: ["JAVA_HOME"], extra: {}, owner: "d1/s1" })
 */
export function childEnvironment(options: ChildEnvironmentOptions): Record<string, string> {
  const isGenerallyAllowed = matcher([...ALLOWED, ...options.pass]);
  const isKey = keyMatcher(options.keys);
  const isAllowed = (name: string) => isGenerallyAllowed(name) || isKey(name);
  const isForbidden = matcher(FORBIDDEN);
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.parent)) {
    if (value !== undefined && isAllowed(name) && !isForbidden(name)) environment[name] = value;
  }
  const path = searchPath(environment);
  // An empty PATH would mean "the working directory", so it is left out instead.
  if (path === "") delete environment.PATH;
  else environment.PATH = withEntry(path, options.nodeDirectory);
  for (const [name, value] of Object.entries(options.extra)) {
    if (!isForbidden(name)) environment[name] = value;
  }
  environment[OWNER_VARIABLE] = options.owner;
  return environment;
}

function withEntry(path: string, entry: string | undefined): string {
  return entry === undefined || path.split(":").includes(entry) ? path : `${path}:${entry}`;
}

/** Names of the variables that are an agent's own and have a value. */
export function keyNames(environment: NodeJS.ProcessEnv, keys: readonly string[]): string[] {
  const isKey = keyMatcher(keys);
  return Object.keys(environment).filter((name) => environment[name] && isKey(name));
}

function keyMatcher(keys: readonly string[]): (name: string) => boolean {
  const isKey = matcher(keys.filter((pattern) => !pattern.startsWith("!")));
  const isLeftOut = matcher(
    keys.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1)),
  );
  return (name) => isKey(name) && !isLeftOut(name);
}

function matcher(patterns: readonly string[]): (name: string) => boolean {
  const prefixes = patterns.filter((pattern) => pattern.endsWith("*")).map((pattern) => pattern.slice(0, -1));
  const names = new Set(patterns);
  return (name) => names.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}
