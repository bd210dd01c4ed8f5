// Writes src/sdk/wire.generated.ts, the types of `/v1`, from the OpenAPI document. The types of the route table need zod,
// which programs with the SDK need not have. test/sdk/wire-types.ts checks that both are the same.

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { openApiDocument } from "../src/protocol/openapi-document.ts";
import { type Document, wireTypes } from "./wire-types.ts";

const ROOT = resolve(import.meta.dirname, "..");
const TARGET = join(ROOT, "src/sdk/wire.generated.ts");

writeFileSync(TARGET, wireTypes(JSON.parse(JSON.stringify(openApiDocument("0"))) as Document));
execFileSync("npx", ["biome", "format", "--write", TARGET], { cwd: ROOT, stdio: "inherit" });
