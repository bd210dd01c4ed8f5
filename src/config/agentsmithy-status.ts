/**
 * The file in a workspace by which AgentSmithy's VS Code extension finds its server: `.agentsmithy/status.json`. Others
 * may write there too, so links are not followed and nothing is read into.
 */
import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "./config-error.ts";

type ServerStatus = "ready" | "stopping" | "stopped";

export class AgentSmithyStatus {
  readonly #directory: string;
  readonly #path: string;
  readonly #port: number;
  readonly #startedAt = new Date().toISOString();

  /** Throws a ConfigError where there can be no such file. */
  constructor(workspace: string, port: number) {
    this.#directory = join(workspace, ".agentsmithy");
    this.#path = join(this.#directory, "status.json");
    this.#port = port;
    try {
      this.#makeDirectory();
      this.#write("ready");
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      throw new ConfigError(
        `--agentsmithy-workspace: ${this.#path} could not be written: ${(error as Error).message}. Give another directory.`,
        { cause: error },
      );
    }
  }

  stopping(): void {
    this.#writeIfOurs("stopping");
  }

  stopped(): void {
    this.#writeIfOurs("stopped");
  }

  #makeDirectory(): void {
    const stats = lstatSync(this.#directory, { throwIfNoEntry: false });
    if (stats && !stats.isDirectory())
      throw new ConfigError(
        `--agentsmithy-workspace: ${this.#directory} is no directory. Remove it, or give another workspace.`,
      );
    if (stats) return;
    mkdirSync(this.#directory);
    // What is in there is of this machine alone.
    writeFileSync(join(this.#directory, ".gitignore"), "*\n", { flag: "wx" });
  }

  /** Another server may have taken over meanwhile, and the workspace may be gone. */
  #writeIfOurs(status: ServerStatus): void {
    try {
      const { server_pid } = JSON.parse(readFileSync(this.#path, "utf8"));
      if (server_pid === process.pid) this.#write(status);
    } catch {
      // Nobody can be told.
    }
  }

  #write(status: ServerStatus): void {
    const isStopped = status === "stopped";
    const content = {
      server_status: status,
      server_pid: isStopped ? null : process.pid,
      port: isStopped ? null : this.#port,
      server_started_at: this.#startedAt,
      server_updated_at: new Date().toISOString(),
      server_error: null,
      config_valid: true,
      config_errors: [],
    };
    const fresh = `${this.#path}.${randomBytes(6).toString("hex")}`;
    try {
      writeFileSync(fresh, `${JSON.stringify(content, null, 2)}\n`, { flag: "wx" });
      // Takes the place of whatever was there, a link included.
      renameSync(fresh, this.#path);
    } catch (error) {
      rmSync(fresh, { force: true });
      throw error;
    }
  }
}
