/** A part of the build: one file with the licences of all packages whose code is in the bundle. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "rolldown";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

export function bundledLicences(fileName: string): Plugin {
  return {
    name: "bundled-licences",
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
      const folders = new Set(modules.filter((path) => path.includes("/node_modules/")).map(packageFolder));
      const entries = [...folders].sort().map(describe);
      const source = ["# Packages in this bundle, and their licences\n", ...entries].join("\n");
      this.emitFile({ type: "asset", fileName, source });
    },
  };
}

/** The folder with the manifest: a package may have others inside that only say which kind of modules it has. */
function packageFolder(path: string): string {
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  if (folder === undefined) throw new Error(`${path} belongs to no package.`);
  return folder;
}

function describe(folder: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  const text = file ? readFileSync(join(folder, file), "utf8").trim() : "";
  return `## ${manifest.name} ${manifest.version} (${manifest.license ?? "no licence named"})\n\n${text}\n`;
}
