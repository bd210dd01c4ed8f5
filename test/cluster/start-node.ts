/** Nodes of a cluster as processes of their own, which can be killed and stopped. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SURROUNDINGS } from "../../src/cli/test-support.ts";
import type { AgentConfig } from "../../src/config/agent-config.ts";
import { readDaemonId } from "../../src/config/daemon-id.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import { markedBy } from "../../src/process/test-support.ts";
import { eventually } from "../../src/testkit/eventually.ts";
import { DaemonClient } from "../daemon-client.ts";

const SCRIPT = join(import.meta.dirname, "node-daemon.ts");

export interface TestNodeOptions {
  /** Its data directory. */
  data: string;
  /** Where its sessions work. */
  root: string;
  /** Whose files these are: those of all nodes when absent. */
  files?: "shared" | "git" | "pinned";
  /** What this node, and no other, sees in place of its root. */
  mounted?: string;
  /** Where checkpoints of shared files are kept; with it, or with `checkpoints`, they are taken. */
  checkpointDirectory?: string;
  checkpoints?: boolean;
  /** The address of the database. */
  store: string;
  /** What others are told of where it listens for them, and where it does. */
  peers?: { advertise: string; listen: string };
  /** That of the machine when absent. */
  name?: string;
  /** What sessions can choose it by. */
  labels?: Readonly<Record<string, string>>;
  /** Agents that only its config knows. */
  agents?: Readonly<Record<string, AgentConfig>>;
  /** Who gets notifications. */
  notify?: string;
  /** After how long without a beat it counts as dead. */
  leaseMs?: number;
  /** Variables of its own. */
  environment?: Readonly<Record<string, string>>;
}

/** A running node. */
export interface TestNode {
  readonly client: DaemonClient;
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  /** What it has logged so far. */
  log(): string;
  /** The processes of its agents, by their states: `T` are stopped. */
  agents(): Promise<{ pid: number; state: string }[]>;
  kill(signal: NodeJS.Signals): void;
}

export async function startNode(options: TestNodeOptions): Promise<TestNode> {
  const {
    data,
    root,
    store,
    files = "shared",
    mounted,
    checkpointDirectory,
    peers,
    name,
    labels,
    agents,
    notify,
    leaseMs,
    environment,
  } = options;
  const { checkpoints = checkpointDirectory !== undefined } = options;
  const args = ["--data", data, ROOT_FLAGS[files], root];
  if (checkpointDirectory !== undefined) args.push("--checkpoint-directory", checkpointDirectory);
  if (peers) args.push("--advertise", peers.advertise, "--listen", peers.listen);
  if (name !== undefined) args.push("--name", name);
  if (labels) args.push("--labels", JSON.stringify(labels));
  if (agents) args.push("--agents", JSON.stringify(agents));
  if (notify !== undefined) args.push("--notify", notify);
  if (leaseMs !== undefined) args.push("--lease", String(leaseMs));
  const command = [process.execPath, SCRIPT, ...args];
  const [program, ...rest] = mounted === undefined ? command : [...withMount(mounted, root), ...command];
  const child = spawn(program!, rest, {
    env: {
      ...SURROUNDINGS,
      ...(checkpoints && { INTERLINGUA_CHECKPOINTS: "on" }),
      INTERLINGUA_STORE: store,
      INTERLINGUA_CLUSTER_SECRET: "only-for-tests-".repeat(3),
      INTERLINGUA_TOKEN: "a-token-of-all-nodes",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  let [stdout, log] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  await eventually("the link", () => stdout.includes("\n") || hasEnded()).catch((error) => {
    child.kill("SIGKILL");
    throw new Error(`The node did not start: ${log}`, { cause: error });
  });
  const [url, token] = stdout.trim().split("/#token=");
  if (!url || !token) throw new Error(`The node did not start: ${log}`);
  return {
    client: new DaemonClient({ url, token }),
    child,
    ended,
    log: () => log,
    async agents() {
      const processes = await markedBy(readDaemonId(data)!);
      return processes.flatMap(({ pid }) => {
        const state = stateOf(pid);
        return state === undefined ? [] : [{ pid, state }];
      });
    },
    kill: (signal) => void child.kill(signal),
  };
}

const ROOT_FLAGS = { shared: "--shared-root", git: "--git-root", pinned: "--root" } as const;

/** Before a command: it sees one directory in place of another, and nobody else does. The process stays the same. */
export function withMount(from: string, to: string): string[] {
  const asRoot = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
  const script = 'mount --bind "$1" "$2" && shift 2 && exec "$@"';
  return ["unshare", ...asRoot, "--mount", "sh", "-c", script, "sh", from, to];
}

/** Sends a signal that ends a node, and waits until it has. */
export async function endNode(node: TestNode, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  node.kill(signal);
  await node.ended;
}

/** Every event of a session, read at the node that has it. */
export async function eventsAt({ client }: TestNode, session: string): Promise<SessionEvent[]> {
  return (await client.events(session)).map((json) => JSON.parse(json) as SessionEvent);
}

/** Undefined when it is gone. */
function stateOf(pid: number): string | undefined {
  try {
    return /\) (\w) /.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1];
  } catch {
    return undefined;
  }
}
