// Writes src/sdk/wire.generated.ts: what crosses the wire of `/v1` as plain types, from the OpenAPI document. The types of
// the route table need zod, and who installs the SDK has none. test/sdk/wire-types.ts holds the two to be the same.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openApiDocument } from "../src/protocol/openapi-document.ts";

const ROOT = resolve(import.meta.dirname, "..");
const TARGET = join(ROOT, "src/sdk/wire.generated.ts");

const directory = mkdtempSync(join(tmpdir(), "interlingua-wire-"));
try {
  const document = join(directory, "openapi.json");
  writeFileSync(document, JSON.stringify(withoutRefusals(openApiDocument("0"))));
  const program = join(import.meta.dirname, "wire-types/node_modules/.bin/openapi-typescript");
  // What has a default may be left out by a client.
  execFileSync(program, [document, "--output", TARGET, "--default-non-nullable", "false"], {
    stdio: "inherit",
  });
  execFileSync("npx", ["biome", "format", "--write", TARGET], { cwd: ROOT, stdio: "inherit" });
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/** Refusals are the same everywhere: the SDK has one error for them. */
function withoutRefusals(document: ReturnType<typeof openApiDocument>): object {
  const { paths = {} } = document;
  const operations = Object.values(paths).flatMap((path) => Object.values(path as object));
  for (const { responses } of operations as { responses?: Record<string, unknown> }[]) {
    for (const status of Object.keys(responses ?? {})) if (Number(status) >= 400) delete responses![status];
  }
  return document;
}
