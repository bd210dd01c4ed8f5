/** The config file: its schema and its reading. Every complaint names the file and the key. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { modelProvidersSchema, webAccessSchema } from "../core/model-provider.ts";
import { notifySchema } from "../core/notify-target.ts";
import { onLostSchema } from "../core/on-lost.ts";
import { lostPrototypeKey } from "../core/own-value.ts";
import { type AgentConfig, agentConfigSchema } from "./agent-config.ts";
import { ConfigError } from "./config-error.ts";
import { IN_MEMORY } from "./data-location.ts";
import { dialectConfigSchema } from "./dialect-config.ts";
import { findJsonFault } from "./find-json-fault.ts";
import { storeSchema } from "./store-address.ts";

export const portSchema = z.int().min(0).max(65_535);

export const originSchema = z
  .string()
  .refine(
    (text) => /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text,
    "must be an origin such as https://example.com, without a path",
  );

export const advertiseSchema = z
  .string()
  .refine(
    (text) => /^https?:\/\//.test(text) && URL.canParse(text) && isBareUrl(new URL(text)),
    "must be an address such as https://box-1.internal:4112, without a path",
  );

function isBareUrl({ pathname, search, hash, username, password }: URL): boolean {
  return pathname === "/" && [search, hash, username, password].every((part) => part === "");
}

export const allowHostSchema = z
  .string()
  .regex(
    /^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?$/,
    "must be a host name such as box.example.com or box.example.com:4111",
  );

export const nodeNameSchema = z
  .string()
  .regex(/^[\w.:@-]{1,128}$/, "must have 1 to 128 letters, digits and . _ : @ -");

const nonEmpty = z.string().min(1, "must not be empty");
const milliseconds = z.int().nonnegative();
const size = z.int().positive();

/** A longer Node timer would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Certificates are files in PEM. */
const clusterSchema = z
  .strictObject({
    certificate: nonEmpty,
    key: nonEmpty,
    ca: nonEmpty,
    /** Words about this node, for sessions that need one of a kind. */
    labels: z.record(nonEmpty, z.string()),
    listen: z
      .string()
      .regex(/^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]):\d{1,5}$/, "must be an address such as 0.0.0.0:4112"),
  })
  .partial();

const limitsSchema = z
  .strictObject({
    idleDetachMs: milliseconds,
    askTimeoutMs: milliseconds,
    connectTimeoutMs: milliseconds.min(1).max(MAX_TIMER_MS),
    stopGraceMs: milliseconds,
    settingsTimeoutMs: milliseconds.min(1).max(MAX_TIMER_MS),
    turnQuietMs: milliseconds,
    turnQuietStopMs: milliseconds,
    agentTurnQuietMs: milliseconds,
    maxToolOutputBytes: size,
    maxQueuedPrompts: size,
    maxQueuedBytes: size,
    maxQueuedBytesInAll: size,
    maxLiveAgents: size,
    maxPendingBytes: size,
    maxForkBytes: size,
    checkpointTimeoutMs: milliseconds.min(1).max(MAX_TIMER_MS),
    checkpointUpkeepMs: milliseconds.max(MAX_TIMER_MS),
    maxCheckpointAgeMs: size,
    maxCheckpoints: size,
    maxCheckpointBytes: size,
    unloadMs: milliseconds,
    drainMs: milliseconds.max(MAX_TIMER_MS),
    maxBodyBytes: size,
    maxSettingsBytes: size,
    maxBodyMemoryBytes: size,
    maxUnsentBytes: size,
    requestsPerSecond: size,
    requestBurst: size,
    maxConnections: size,
    maxStreams: size,
    maxMessageBytes: size,
    messagesPerSecond: size,
    messageBurst: size,
  })
  .partial();

export const configFileSchema = z
  .strictObject({
    host: nonEmpty,
    port: portSchema,
    data: nonEmpty,
    store: storeSchema,
    advertise: advertiseSchema,
    clusterInsecure: z.boolean(),
    cluster: clusterSchema,
    nodeName: nodeNameSchema,
    tokenFile: nonEmpty,
    roots: z.array(nonEmpty).min(1, "needs at least one directory"),
    sharedRoots: z.array(nonEmpty),
    gitRoots: z.array(nonEmpty),
    corsOrigins: z.array(originSchema),
    allowHosts: z.array(allowHostSchema),
    agent: nonEmpty,
    checkpoints: z.enum(["on", "off"], "must be on or off"),
    checkpointDirectory: nonEmpty,
    onLost: z.enum(onLostSchema.options, "must be continue or stop"),
    agentsmithyPort: portSchema,
    agentsmithyWorkspace: nonEmpty,
    agentsmithyKeepRunning: z.boolean(),
    env: z.strictObject({ pass: z.array(nonEmpty) }),
    limits: limitsSchema,
    /** By the agent's name. The registry knows which agents there are. */
    agents: z.record(z.string(), agentConfigSchema),
    /** Client protocols from outside, by the dialect's name. */
    dialects: z.record(z.string(), dialectConfigSchema),
    providers: modelProvidersSchema,
    web: webAccessSchema,
    notify: notifySchema,
  })
  .partial();

export type ConfigFile = z.infer<typeof configFileSchema>;

/** Paths in the file are taken from where the file is. Undefined when there is no such file. */
export function readConfigFile(path: string): ConfigFile | undefined {
  const content = readIfPresent(path);
  if (content === undefined) return undefined;
  const given = parseJson(path, content);
  const parsed = configFileSchema.safeParse(given);
  if (!parsed.success) throw new ConfigError(`${path}: ${describeIssues(parsed.error)}`);
  const lost = lostPrototypeKey(given, parsed.data);
  if (lost) throw new ConfigError(`${path}: ${lost.join(".")}: is no name that can be used; choose another`);
  const config = parsed.data;
  const absolute = (entry: string) => resolve(dirname(path), expandHome(entry));
  return {
    ...config,
    data: config.data === undefined || config.data === IN_MEMORY ? config.data : absolute(config.data),
    tokenFile: config.tokenFile === undefined ? undefined : absolute(config.tokenFile),
    roots: config.roots?.map(absolute),
    sharedRoots: config.sharedRoots?.map(absolute),
    gitRoots: config.gitRoots?.map(absolute),
    checkpointDirectory:
      config.checkpointDirectory === undefined ? undefined : absolute(config.checkpointDirectory),
    cluster: config.cluster && clusterFiles(config.cluster, absolute),
    agentsmithyWorkspace:
      config.agentsmithyWorkspace === undefined ? undefined : absolute(config.agentsmithyWorkspace),
    agents: config.agents && mapValues(config.agents, (settings) => withPath(settings, absolute)),
    dialects:
      config.dialects &&
      mapValues(config.dialects, (settings) => ({ ...settings, module: absolute(settings.module) })),
  };
}

function clusterFiles(
  { certificate, key, ca, ...rest }: z.infer<typeof clusterSchema>,
  absolute: (path: string) => string,
): z.infer<typeof clusterSchema> {
  return {
    ...rest,
    ...(certificate !== undefined && { certificate: absolute(certificate) }),
    ...(key !== undefined && { key: absolute(key) }),
    ...(ca !== undefined && { ca: absolute(ca) }),
  };
}

/** A module, and a program named by its path rather than found on the PATH. */
function withPath(given: AgentConfig, absolute: (path: string) => string): AgentConfig {
  const { command, module } = given;
  const settings = module === undefined ? given : { ...given, module: absolute(module) };
  if (command === undefined) return settings;
  const [program = "", ...args] = typeof command === "string" ? [command] : command;
  return program.includes("/") ? { ...settings, command: [absolute(program), ...args] } : settings;
}

function mapValues<Value, Result>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

/** All problems in one line: `limits.idleDetachMs: expected number; port: …`. */
export function describeIssues(error: z.ZodError): string {
  return error.issues.flatMap(describeIssue).join("; ");
}

function describeIssue(issue: z.core.$ZodIssue): string[] {
  const path = issue.path.reduce<string>(
    (prefix, key) => (typeof key === "number" ? `${prefix}[${key}]` : joinKeys(prefix, String(key))),
    "",
  );
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const isLimit = Object.hasOwn(limitsSchema.shape, key);
      const hint = isLimit ? `; there is limits.${key}` : "";
      return `${joinKeys(path, key)}: there is no such setting${hint}`;
    });
  }
  if (issue.code === "invalid_key") {
    return issue.issues.map(({ message }) => `${path}: ${message}`);
  }
  return [path === "" ? issue.message : `${path}: ${issue.message}`];
}

function joinKeys(prefix: string, key: string): string {
  return prefix === "" ? key : `${prefix}.${key}`;
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw new ConfigError(`${path}: cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

function parseJson(path: string, content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    // Without the parser's message and without a cause: both quote the file, which may hold secrets.
    const { line, column } = findJsonFault(content);
    throw new ConfigError(`${path}: is not valid JSON; look at line ${line}, column ${column}.`);
  }
}

/** No shell has expanded these paths. */
function expandHome(path: string): string {
  return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;
}
