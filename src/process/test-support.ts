/** What the process tests share: real agents made of small scripts, and a look at who is still alive. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { eventually } from "../testkit/eventually.ts";
import { readableText } from "./line-splitter.ts";
import type { AgentProcess, HostSpawnOptions } from "./process-host.ts";
import { type ProcessEntry, processTable } from "./process-table.ts";

/** By other means than the code under test. A zombie counts as dead. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== "linux") return true;
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Everything alive that carries the mark of this daemon. */
export async function markedBy(daemonId: string): Promise<ProcessEntry[]> {
  const entries = await processTable.list();
  return entries.filter((entry) => !entry.zombie && entry.marker?.startsWith(daemonId));
}

/** An agent that is a shell script. */
export function shell(script: string): Pick<HostSpawnOptions, "command" | "args" | "cwd"> {
  return { command: "/bin/sh", args: ["-c", script], cwd: "/" };
}

/** An agent that is a script for Node. */
export function node(script: string): Pick<HostSpawnOptions, "command" | "args" | "cwd"> {
  return { command: process.execPath, args: ["-e", script], cwd: "/" };
}

/** A process for a `node` agent to start: in a session of its own, so that no signal to a group reaches it. */
export function startDetached(
  options: { ignoresTerm?: boolean; environment?: string; thenExit?: boolean } = {},
): string {
  const script = `${options.ignoresTerm ? "trap '' TERM; " : ""}echo ready; while :; do sleep 1; done`;
  return `{
    const child = require("node:child_process").spawn("/bin/sh", ["-c", ${JSON.stringify(script)}], {
      detached: true, env: ${options.environment ?? "process.env"}, stdio: ["ignore", "pipe", "ignore"] });
    child.stdout.once("data", () => {
      console.log("pid " + child.pid);
      ${options.thenExit ? "child.stdout.destroy();" : ""}
    });
    child.unref();
  }`;
}

/** Reads `pid <number>` lines until there are as many as asked for, and goes on reading so that the agent runs on. */
export async function announcedPids(agent: AgentProcess, count: number): Promise<number[]> {
  const pids: number[] = [];
  const reading = (async () => {
    for await (const line of agent.lines) {
      const pid = /^pid (\d+)$/.exec(readableText(line))?.[1];
      if (pid !== undefined) pids.push(Number(pid));
    }
  })();
  await Promise.race([reading, eventually("the agent names its processes", () => pids.length >= count)]);
  if (pids.length < count) throw new Error(`the agent named only ${pids.length}: ${agent.stderrTail()}`);
  return pids;
}

/** Collects what is left of the output. */
export async function readAll(agent: AgentProcess): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of agent.lines) lines.push(readableText(line));
  return lines;
}

export const AGENT_WITH_HUB = fileURLToPath(new URL("./fixtures/agent-with-hub.ts", import.meta.url));

/** Asks an agent and waits for its answers. */
export class Conversation {
  readonly agent: AgentProcess;
  readonly #lines: string[] = [];

  constructor(agent: AgentProcess) {
    this.agent = agent;
    void (async () => {
      for await (const line of agent.lines) this.#lines.push(readableText(line));
    })();
  }

  async ask(line: string): Promise<string> {
    const heard = this.#lines.length;
    await this.agent.write(line);
    await eventually(`an answer to "${line}"`, () => this.#lines.length > heard);
    return this.#lines[heard]!;
  }

  async pid(line: string): Promise<number> {
    return Number((await this.ask(line)).split(" ")[1]);
  }
}
