/**
 * `.agentsmithy/status.json` of a workspace: where clients of AgentSmithy look for their server. A workspace has one
 * server at a time.
 */
import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readRegularFileSync } from "../../files/regular-file.ts";
import type { PortAnnouncement } from "../dialect-port/dialect-port.ts";

export interface StatusFileOptions {
  /** A real path. */
  workspace: string;
  /** 0 if it is picked later. */
  port: number;
  /** Whether the process with this pid runs, and already did so at that time. */
  isRunningSince(pid: number, time: number): boolean;
  /** The file could not be written when the port was closed. */
  onError(error: unknown): void;
}

/** The fields that are read. Another server may have written anything. */
interface Status {
  server_status?: unknown;
  server_pid?: unknown;
  port?: unknown;
  server_started_at?: unknown;
  server_updated_at?: unknown;
}

/** States in which a server is there. */
const LIVE = new Set<unknown>(["starting", "ready", "stopping"]);

export class StatusFile implements PortAnnouncement {
  readonly #options: StatusFileOptions;
  readonly #directory: string;
  readonly #file: string;
  readonly #startedAt = new Date().toISOString();
  #port: number | undefined;

  constructor(options: StatusFileOptions) {
    this.#options = options;
    this.#directory = join(options.workspace, ".agentsmithy");
    this.#file = join(this.#directory, "status.json");
    this.#port = options.port || undefined;
  }

  starting(): void {
    this.#makeDirectory();
    const other = this.#read();
    if (other && this.#isServing(other)) throw this.#occupied(other);
    this.#write("starting");
  }

  ready(port: number): void {
    const current = this.#read();
    // Of two that start at once the later writer stays.
    if (current && !this.#isOwn(current) && this.#isServing(current)) throw this.#occupied(current);
    this.#port = port;
    this.#write("ready");
  }

  failed(error: Error): void {
    this.#change("error", error.message);
  }

  stopping(): void {
    this.#change("stopping");
  }

  stopped(): void {
    this.#change("stopped");
  }

  /** The file may be gone, or another server's by now: then it is left alone. */
  #change(status: "stopping" | "stopped" | "error", error?: string): void {
    try {
      const current = this.#read();
      if (current && this.#isOwn(current)) this.#write(status, error);
    } catch (problem) {
      this.#options.onError(problem);
    }
  }

  /** A reader sees the file whole, as it was or as it is. */
  #write(status: "starting" | "ready" | "stopping" | "stopped" | "error", error?: string): void {
    this.#assertDirectory();
    // Clients take a server with a living pid for theirs, and our process may go on.
    const isThere = LIVE.has(status);
    const content = {
      server_status: status,
      ...(isThere && { server_pid: process.pid, port: this.#port ?? null }),
      server_started_at: this.#startedAt,
      server_updated_at: new Date().toISOString(),
      server_error: error ?? null,
      config_valid: true,
      config_errors: [],
    };
    const temporary = `${this.#file}.${randomBytes(6).toString("hex")}`;
    try {
      writeFileSync(temporary, `${JSON.stringify(content, null, 2)}\n`, { flag: "wx" });
      renameSync(temporary, this.#file);
    } catch (cause) {
      throw new Error(`${this.#file} could not be written: ${(cause as Error).message}`, { cause });
    } finally {
      rmSync(temporary, { force: true });
    }
  }

  /** Undefined for what is no status. */
  #read(): Status | undefined {
    try {
      this.#assertDirectory();
      const content: unknown = JSON.parse(readRegularFileSync(this.#file).toString());
      return typeof content === "object" && content !== null ? content : undefined;
    } catch {
      return undefined;
    }
  }

  #isOwn({ server_pid, server_started_at }: Status): boolean {
    return server_pid === process.pid && server_started_at === this.#startedAt;
  }

  /** A server that was killed leaves a file behind. */
  #isServing({ server_status, server_pid, server_updated_at }: Status): boolean {
    if (!LIVE.has(server_status) || !isPid(server_pid) || server_pid === process.pid) return false;
    const updatedAt = Date.parse(String(server_updated_at));
    return this.#options.isRunningSince(server_pid, Number.isNaN(updatedAt) ? Date.now() : updatedAt);
  }

  #occupied({ server_pid, port }: Status): Error {
    const place = typeof port === "number" ? `pid ${server_pid}, port ${port}` : `pid ${server_pid}`;
    return new Error(
      `Another AgentSmithy server (${place}) already serves ${this.#options.workspace}. ` +
        "Stop it, or give another directory with --agentsmithy-workspace.",
    );
  }

  /** What we make does not show up in the person's repository. */
  #makeDirectory(): void {
    try {
      if (!lstatSync(this.#directory, { throwIfNoEntry: false })) mkdirSync(this.#directory);
      this.#assertDirectory();
      if (readdirSync(this.#directory).length === 0)
        writeFileSync(join(this.#directory, ".gitignore"), "*\n", { flag: "wx" });
    } catch (cause) {
      const reason = (cause as Error).message;
      throw new Error(`--agentsmithy-workspace: ${this.#options.workspace} cannot be used. ${reason}`, {
        cause,
      });
    }
  }

  /** A link would let its author choose where we write. */
  #assertDirectory(): void {
    if (lstatSync(this.#directory, { throwIfNoEntry: false })?.isDirectory()) return;
    throw new Error(
      `${this.#directory} is not a directory, or a link to one, which is not followed. ` +
        "Move it away, or give another directory with --agentsmithy-workspace.",
    );
  }
}

function isPid(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
