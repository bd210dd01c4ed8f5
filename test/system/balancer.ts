/**
 * nginx and HAProxy with the files of deploy/, as ordinary processes on loopback. Only addresses and the places of logs and
 * temporary files are replaced. Root is not needed.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../../src/testkit/eventually.ts";
import type { SystemProgram } from "./system-program.ts";

export interface BalancerOptions {
  name: SystemProgram;
  /** Where the program is. */
  program: string;
  port: number;
  /** The ports of the nodes, as many as the file in deploy/ has. */
  nodes: readonly number[];
}

export interface Balancer extends AsyncDisposable {
  readonly url: string;
  /** Its log so far. */
  log(): string;
}

const DEPLOY = join(import.meta.dirname, "../../deploy");

/** Rejects with what the program says about the file. */
export async function startBalancer(options: BalancerOptions): Promise<Balancer> {
  const { name, program, port } = options;
  const folder = mkdtempSync(join(tmpdir(), `il-${name}-`));
  // Started by root, nginx keeps bodies of requests as another user.
  chmodSync(folder, 0o755);
  const { file, check, run } = name === "nginx" ? adaptNginx(options) : adaptHaproxy(options);
  const path = join(folder, `${name}.conf`);
  writeFileSync(path, file.replaceAll("FOLDER", folder));
  const complete = (words: readonly string[]) => words.map((word) => word.replaceAll("FOLDER", folder));
  try {
    execFileSync(program, [...complete(check), path], { stdio: "pipe" });
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw new Error(`${name} refuses the file: ${(error as { stderr?: Buffer }).stderr}`, { cause: error });
  }
  const child = spawn(program, [...complete(run), path], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close");
  let log = "";
  for (const output of [child.stdout, child.stderr])
    output.setEncoding("utf8").on("data", (text: string) => {
      log += text;
    });
  const end = async () => {
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true });
  };
  try {
    await eventually(`${name} listens`, () => {
      if (child.exitCode !== null) throw new Error(`${name} ended: ${log}`);
      return isListening(port);
    });
  } catch (error) {
    await end();
    throw error;
  }
  return { url: `http://127.0.0.1:${port}`, log: () => log, [Symbol.asyncDispose]: end };
}

interface Adapted {
  /** `FOLDER` is a folder for it alone. */
  file: string;
  /** Arguments before the path of the file. */
  check: readonly string[];
  run: readonly string[];
}

function adaptNginx({ port, nodes }: BalancerOptions): Adapted {
  const own = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path FOLDER/${kind};`,
  );
  let file = readFileSync(join(DEPLOY, "nginx.conf"), "utf8");
  file = replaceOnce(file, "http {", ["http {", "access_log off;", ...own].join("\n"));
  file = replaceOnce(file, "listen 8080;", `listen 127.0.0.1:${port};`);
  file = replaceNodes(file, nodes);
  const words = ["-e", "stderr", "-g", "pid FOLDER/pid;", "-c"];
  return {
    file,
    check: ["-t", "-q", ...words],
    run: ["-e", "stderr", "-g", "daemon off; pid FOLDER/pid;", "-c"],
  };
}

function adaptHaproxy({ port, nodes }: BalancerOptions): Adapted {
  const file = readFileSync(join(DEPLOY, "haproxy.cfg"), "utf8");
  const bound = replaceOnce(file, "BIND-:8080", `BIND-127.0.0.1:${port}`);
  // -db: neither a daemon nor a process beside it.
  return { file: replaceNodes(bound, nodes), check: ["-c", "-q", "-f"], run: ["-db", "-f"] };
}

function replaceNodes(file: string, nodes: readonly number[]): string {
  const given = new Set(file.match(/127\.0\.0\.1:42\d\d/g));
  if (given.size !== nodes.length) throw new Error(`The file has ${given.size} nodes, not ${nodes.length}.`);
  return nodes.reduce((text, port, index) => text.replaceAll([...given][index]!, `127.0.0.1:${port}`), file);
}

function replaceOnce(text: string, from: string, to: string): string {
  if (text.split(from).length !== 2) throw new Error(`The file has to have "${from}" once.`);
  return text.replace(from, () => to);
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
