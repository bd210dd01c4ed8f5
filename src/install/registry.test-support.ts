/** For tests: an npm registry on loopback with one small agent in it, `tool`, made like the real ones. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ProgramPreset } from "../core/program.ts";
import { libcOf, platformName } from "./platform.ts";

interface Package {
  readonly name: string;
  readonly version: string;
  readonly manifest: object;
  readonly tarball: Buffer;
  readonly integrity: string;
  /** Of its files. */
  readonly bytes: number;
}

/** Takes the place of a real native program. */
const PROGRAM = "#!/bin/sh\necho tool at work\n";

export class TestRegistry {
  readonly directory = mkdtempSync(join(tmpdir(), "interlingua-registry-"));
  readonly presetsDirectory = join(this.directory, "presets");
  readonly preset: ProgramPreset = { agent: "tool", executable: "tool", package: "tool", version: "1.0.0" };
  /** The tarballs that were asked for, in order. */
  readonly downloads: string[] = [];
  /** Set to give other bytes than those that were published. */
  isTampered = false;
  readonly #packages = new Map<string, Package>();
  readonly #server: Server;
  /** What waits while downloads are held. */
  #held: (() => void)[] | undefined;

  static async start(): Promise<TestRegistry> {
    const registry = new TestRegistry();
    await new Promise<void>((resolve) => registry.#server.listen(0, "127.0.0.1", resolve));
    return registry;
  }

  private constructor() {
    this.#server = createServer((request, response) => {
      const path = decodeURIComponent(request.url ?? "");
      const packed = /^\/tarballs\/(.*)\.tgz$/.exec(path)?.[1];
      if (packed !== undefined) {
        this.downloads.push(packed);
        const bytes = this.isTampered ? Buffer.from("something else") : this.#packages.get(packed)!.tarball;
        this.#whenLet(() => response.end(bytes));
        return;
      }
      const known = this.#packages.get(path.slice(1));
      response.statusCode = known ? 200 : 404;
      response.end(JSON.stringify(known ? this.#document(known) : { error: "Not found" }));
    });
    const native = `tool-${platformName()}`;
    this.#publish(native, "1.0.0", { os: [process.platform], cpu: [process.arch] }, { tool: PROGRAM });
    const libc = libcOf(platformName()) === "musl" ? "glibc" : "musl";
    const foreign = { os: [process.platform], cpu: [process.arch], libc: [libc] };
    this.#publish("tool-other-libc", "1.0.0", foreign, { tool: PROGRAM });
    this.#publish("tool-plan9-x64", "1.0.0", { os: ["plan9"], cpu: ["x64"] }, { tool: PROGRAM });
    this.#publish("tool", "1.0.0", {
      scripts: { postinstall: "touch install-script-was-run" },
      optionalDependencies: { [native]: "1.0.0", "tool-other-libc": "1.0.0", "tool-plan9-x64": "1.0.0" },
    });
    this.writePreset();
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** An environment in which npm uses this registry, gives up at once and keeps its cache here. */
  environment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
    return {
      PATH: process.env.PATH,
      HOME: this.directory,
      NPM_CONFIG_REGISTRY: this.url,
      NPM_CONFIG_FETCH_RETRIES: "0",
      ...more,
    };
  }

  /** Writes the preset's folder, for one platform and with the size it has. */
  writePreset({ platform = platformName(), bytes = this.#sizeFor(platform) } = {}): void {
    const folder = join(this.presetsDirectory, "tool");
    const root = { name: "tool-preset", dependencies: { tool: "1.0.0" } };
    const packages = [...this.#packages.values()].map(({ name, version, integrity, manifest }) => [
      `node_modules/${name}`,
      { version, integrity, ...manifest, ...(name !== "tool" && { optional: true }) },
    ]);
    const lock = {
      name: root.name,
      lockfileVersion: 3,
      requires: true,
      packages: { "": root, ...Object.fromEntries(packages) },
    };
    const file = `node_modules/tool-${platform}/tool`;
    const preset = { programs: { [platform]: { file, bytes } } };
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), JSON.stringify({ ...root, private: true }));
    writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
    writeFileSync(join(folder, "preset.json"), JSON.stringify(preset));
  }

  /** Downloads wait from now on. */
  hold(): void {
    this.#held = [];
  }

  letGo(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const answer of held) answer();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.directory, { recursive: true });
  }

  #sizeFor(platform: string): number {
    return this.#packages.get("tool")!.bytes + this.#packages.get(`tool-${platform}`)!.bytes;
  }

  #whenLet(answer: () => void): void {
    if (this.#held) this.#held.push(answer);
    else answer();
  }

  #document({ name, version, manifest, integrity }: Package): object {
    const dist = { tarball: `${this.url}tarballs/${name}.tgz`, integrity };
    return {
      name,
      "dist-tags": { latest: version },
      versions: { [version]: { name, version, ...manifest, dist } },
    };
  }

  #publish(name: string, version: string, manifest: object, files: Record<string, string> = {}): void {
    const folder = join(this.directory, "sources", name);
    const all = { "package.json": JSON.stringify({ name, version, ...manifest }), ...files };
    for (const [path, content] of Object.entries(all)) {
      const file = join(folder, "package", path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      chmodSync(file, path === "tool" ? 0o755 : 0o644);
    }
    const archive = join(folder, "package.tgz");
    execFileSync("tar", ["-czf", archive, "-C", folder, "package"]);
    const tarball = readFileSync(archive);
    const bytes = Object.values(all).reduce((sum, content) => sum + Buffer.byteLength(content), 0);
    const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
    this.#packages.set(name, { name, version, manifest, tarball, integrity, bytes });
  }
}
