/** Starts an app-server, introduces us, and signs in where we have a key. */
import { z } from "zod";
import type { RawDraft } from "../../core/raw-record.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import { RpcCaller } from "../transport/json-rpc-caller.ts";
import { observeProcesses } from "../transport/observe-processes.ts";
import { SharedLines } from "../transport/shared-lines.ts";
import { SharedStderr } from "../transport/shared-stderr.ts";
import { type LaunchOptions, launch } from "./launch.ts";
import { CLIENT_NAME } from "./manifest.ts";
import { router } from "./route.ts";
import { CodexServer } from "./server.ts";

/** Frequent notifications that nobody needs. Most of them would go to every session of the process. */
const UNWANTED = [
  "account/rateLimits/updated",
  "remoteControl/status/changed",
  "thread/readState/changed",
  "turn/diff/updated",
];

/** The channel of our own requests, which are in no session's records. */
const CONTROL = "control";

const serverSchema = z.looseObject({ userAgent: z.string() });
const accountSchema = z.looseObject({ account: z.unknown(), requiresOpenaiAuth: z.boolean() });

export interface StartOptions extends LaunchOptions {
  readonly processHost: ProcessHost;
  /** Secret: it goes to Codex and into no record. */
  readonly apiKey?: string;
  /** Stops the start. It is the only time limit. */
  readonly signal: AbortSignal;
  /** See `ConnectOptions`. */
  onStartRecord?(record: RawDraft): void;
}

/** Rejects when Codex cannot be started or does not answer, and then leaves no process. */
export async function startServer(options: StartOptions): Promise<CodexServer> {
  const { apiKey, signal } = options;
  signal.throwIfAborted();
  let isStarting = true;
  const processHost = observeProcesses(options.processHost, (record) => {
    if (isStarting) options.onStartRecord?.(record);
  });
  const stderr = new SharedStderr();
  const onStderrLine = (line: string) => stderr.push(line);
  const process = await processHost.spawn({ ...launch(options), onStderrLine });
  try {
    const lines = new SharedLines(process, router) as SharedLines<unknown>;
    const caller = new RpcCaller(lines.open(CONTROL), CONTROL);
    const { userAgent } = serverSchema.parse(await caller.call("initialize", initializeParams(), { signal }));
    await caller.notify("initialized");
    const isSignedIn = await readSignIn(caller, signal);
    if (!isSignedIn && apiKey !== undefined && !options.isSignInEphemeral) {
      await process.end();
      return startServer({ ...options, isSignInEphemeral: true });
    }
    if (apiKey !== undefined && options.isSignInEphemeral) {
      await caller.call("account/login/start", { type: "apiKey", apiKey }, { signal });
    }
    const [, version] = /\/(\d+\.\d+\.\d+)/.exec(userAgent) ?? [];
    const facts = { version, isSignedIn: isSignedIn || apiKey !== undefined };
    isStarting = false;
    return new CodexServer(lines, stderr, caller, facts);
  } catch (error) {
    await process.end();
    throw error;
  }
}

function initializeParams() {
  const clientInfo = { name: CLIENT_NAME, title: null, version: "1" };
  return { clientInfo, capabilities: { experimentalApi: true, optOutNotificationMethods: UNWANTED } };
}

/** A provider of the user's own needs no account. */
async function readSignIn(caller: RpcCaller, signal: AbortSignal): Promise<boolean> {
  const answer = await caller.call("account/read", {}, { signal });
  const { account, requiresOpenaiAuth } = accountSchema.parse(answer);
  return !requiresOpenaiAuth || account != null;
}
