// Names and fields of the lines of Claude Code and Amp, from the type declarations of their SDKs. Only names and kinds
// of values are taken: no text, no comment. TypeScript 7 has no interface for programs, so an older one is used. All
// of it is installed for the moment, as test/sdk-types/package.json says.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { mergeSchemas } from "../src/agents/schemas/infer-schema.ts";
import type { JsonSchema } from "../src/agents/schemas/message-schema.ts";

const MANIFEST = resolve(import.meta.dirname, "../test/sdk-types/package.json");

/** Deep enough for what translators read. */
const MAX_DEPTH = 5;
const MAX_FIELDS = 200;

export interface SdkMessages {
  readonly agent: string;
  /** Package and version. */
  readonly source: string;
  /** Of the program that the SDK was made for, where it says. */
  readonly programVersion?: string;
  readonly messages: readonly JsonSchema[];
}

const SDKS = [
  {
    agent: "claude",
    package: "@anthropic-ai/claude-agent-sdk",
    declarations: "sdk.d.ts",
    type: "StdoutMessage",
  },
  {
    agent: "amp",
    package: "@sourcegraph/amp-sdk",
    declarations: "dist/types.d.ts",
    type: "StreamMessage",
  },
];

/** Throws where they cannot be installed; npm says why. */
export function readSdks(): SdkMessages[] {
  const directory = mkdtempSync(join(tmpdir(), "interlingua-sdk-"));
  try {
    copyFileSync(MANIFEST, join(directory, "package.json"));
    const flags = ["--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund", "--no-package-lock"];
    execFileSync("npm", ["install", ...flags], { cwd: directory, stdio: ["ignore", "ignore", "inherit"] });
    const typescript = createRequire(join(directory, "package.json"))("typescript") as TypeScript;
    return SDKS.map((sdk) => readSdk(typescript, directory, sdk));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** As much of TypeScript's interface as is used. */
interface Type {
  readonly flags: number;
  readonly value?: unknown;
  readonly types?: readonly Type[];
  isUnion(): boolean;
  getProperties(): readonly { readonly name: string }[];
}

interface Checker {
  getTypeOfSymbol(symbol: unknown): Type;
  getDeclaredTypeOfSymbol(symbol: unknown): Type;
  getExportSymbolOfSymbol(symbol: unknown): unknown;
  isArrayType(type: Type): boolean;
  isTupleType(type: Type): boolean;
  getTypeArguments(type: Type): readonly Type[];
}

interface TypeScript {
  readonly TypeFlags: Readonly<Record<string, number>>;
  createProgram(
    files: readonly string[],
    options: object,
  ): {
    getTypeChecker(): Checker;
    getSourceFile(file: string): { readonly locals?: ReadonlyMap<string, unknown> } | undefined;
  };
}

function readSdk(typescript: TypeScript, directory: string, sdk: (typeof SDKS)[number]): SdkMessages {
  const root = join(directory, "node_modules", sdk.package);
  const file = join(root, sdk.declarations);
  const { version, claudeCodeVersion } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const program = typescript.createProgram([file], {
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
    // Node's way of resolving packages; ES2022.
    module: 199,
    moduleResolution: 99,
    target: 9,
  });
  const checker = program.getTypeChecker();
  const locals = program.getSourceFile(file)?.locals ?? new Map<string, unknown>();
  const reader = new TypeReader(typescript, checker);
  const symbol = locals.get(sdk.type);
  if (symbol === undefined) throw new Error(`${sdk.package} has no type ${sdk.type} any more`);
  const messages = reader.messagesOf(
    checker.getDeclaredTypeOfSymbol(checker.getExportSymbolOfSymbol(symbol)),
  );
  return {
    agent: sdk.agent,
    source: `${sdk.package} ${version}`,
    programVersion: claudeCodeVersion,
    messages,
  };
}

class TypeReader {
  readonly #flags: Readonly<Record<string, number>>;
  readonly #checker: Checker;

  constructor({ TypeFlags }: TypeScript, checker: Checker) {
    this.#flags = TypeFlags;
    this.#checker = checker;
  }

  /** Every member of the union, with the words that name it. */
  messagesOf(type: Type): JsonSchema[] {
    return (type.isUnion() ? type.types! : [type]).flatMap((member) => {
      const { properties = {}, ...schema } = this.#schemaOf(member, 0);
      const names = ["type", "subtype"].map((name) => [name, this.#wordsOf(member, name)] as const);
      return combinations(names).map((constants) => ({
        ...schema,
        properties: { ...properties, ...constants },
      }));
    });
  }

  /** The words a field may have; none where it may have any, or is not there. */
  #wordsOf(type: Type, name: string): string[] {
    const symbol = type.getProperties().find((property) => property.name === name);
    if (!symbol) return [];
    const field = this.#checker.getTypeOfSymbol(symbol);
    return (field.isUnion() ? field.types! : [field]).flatMap(({ value }) =>
      typeof value === "string" ? [value] : [],
    );
  }

  #schemaOf(type: Type, depth: number): JsonSchema {
    if (type.isUnion()) return this.#unionOf(type.types!, depth);
    const is = (...names: string[]) => names.some((name) => (type.flags & this.#flags[name]!) !== 0);
    if (is("StringLike", "TemplateLiteral")) return { type: "string" };
    if (is("NumberLike")) return { type: "number" };
    if (is("BooleanLike")) return { type: "boolean" };
    if (is("Null")) return { type: "null" };
    if (is("Any", "Unknown", "Undefined", "Void", "Never")) return {};
    if (this.#checker.isArrayType(type) || this.#checker.isTupleType(type)) {
      const items = depth < MAX_DEPTH ? this.#unionOf(this.#checker.getTypeArguments(type), depth + 1) : {};
      return { type: "array", items };
    }
    const properties = type.getProperties();
    if (depth >= MAX_DEPTH || properties.length > MAX_FIELDS) return { type: "object" };
    const entries = properties.map((symbol) => [
      symbol.name,
      this.#schemaOf(this.#checker.getTypeOfSymbol(symbol), depth + 1),
    ]);
    return { type: "object", properties: Object.fromEntries(entries) };
  }

  /** As one: which variant has which field is not worth telling apart. */
  #unionOf(types: readonly Type[], depth: number): JsonSchema {
    const told = types.filter(({ flags }) => (flags & this.#flags.Undefined!) === 0);
    const [first = {}, ...others] = told.map((type) => this.#schemaOf(type, depth));
    return others.reduce(mergeSchemas, first);
  }
}

/** A member whose subtype is one of several words is several messages. */
function combinations(names: readonly (readonly [string, readonly string[]])[]) {
  return names.reduce<Record<string, JsonSchema>[]>(
    (all, [name, words]) =>
      words.length === 0
        ? all
        : all.flatMap((known) => words.map((word) => ({ ...known, [name]: { const: word } }))),
    [{}],
  );
}
