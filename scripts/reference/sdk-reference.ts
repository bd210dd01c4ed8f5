/** docs/reference/sdk.md: what `interlingua/sdk` exports, from the types and comments of its source. */
import { resolve } from "node:path";
import type { Node, SourceFile } from "typescript/unstable/ast";
import {
  API,
  type Checker,
  type Symbol as CompilerSymbol,
  SymbolFlags,
  type Type,
  TypeFlags,
  type UnionType,
} from "typescript/unstable/sync";
import { markdownTable } from "./markdown-table.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const SDK = resolve(ROOT, "src/sdk");

/** Unions of many shapes, which have pages of their own. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  SessionEvent: "[Every event and its fields](events.md).",
  EventOf: 'The events of one type: `EventOf<"ask.opened">`.',
};

/** The more used first; what is not named here follows in the order of its names. */
const FIRST = ["Interlingua", "Sessions", "Session", "Prompt", "Agents", "InterlinguaError"];

const MAX_TYPE_LENGTH = 110;

const HEAD = `# SDK reference

<!-- Written by \`npm run reference\` from src/sdk. Change it there. -->

What \`interlingua/sdk\` exports. [The guide](../guides/sdk.md) tells how to use it. In browsers \`Interlingua\` has only
\`connect\`.
`;

export function sdkReference(): string {
  const api = new API({ cwd: ROOT });
  try {
    const project = resolve(ROOT, "tsconfig.types.json");
    const { checker, program } = api.updateSnapshot({ openProjects: [project] }).getProject(project)!;
    const module = checker.getSymbolAtLocation(program.getSourceFile(resolve(SDK, "index.ts"))!)!;
    const sections = new Reference(checker).sections(checker.getExportsOfModule(module));
    return [HEAD, ...sections].join("\n");
  } finally {
    api.close();
  }
}

class Reference {
  readonly #checker: Checker;

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  sections(exported: readonly CompilerSymbol[]): string[] {
    const symbols = new Map(exported.map((symbol) => [symbol.name, this.#target(symbol)]));
    // Classes that are not exported and stand behind a property, such as `client.sessions`.
    for (const symbol of [...symbols.values()].filter(isClass))
      for (const member of this.#members(symbol)) {
        const type = this.#checker.getTypeOfSymbol(member)?.getSymbol();
        if (type && isClass(type) && this.#isOurs(type)) symbols.set(type.name, type);
      }
    const place = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
    const order = [...symbols].sort(([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1));
    const classes = order.filter(([, symbol]) => isClass(symbol));
    const types = order.filter(([, symbol]) => !isClass(symbol));
    return [
      ...classes.map(([name, symbol]) => this.#section(`## \`${name}\``, symbol, this.#classMembers(symbol))),
      "## Types\n",
      ...types.map(([name, symbol]) =>
        this.#section(`### \`${name}\``, symbol, this.#typeBody(name, symbol)),
      ),
    ];
  }

  #section(heading: string, symbol: CompilerSymbol, body: string): string {
    const comment = this.#checker.getDocumentationCommentOfSymbol(symbol).trim();
    const example = this.#checker.getJsDocTagsOfSymbol(symbol).find(({ name }) => name === "example");
    const parts = [heading, comment, example && `\`\`\`ts\n${textOf(example.text).trim()}\n\`\`\``, body];
    return `${parts.filter(Boolean).join("\n\n")}\n`;
  }

  #classMembers(symbol: CompilerSymbol): string {
    const statics = this.#checker
      .getPropertiesOfType(this.#checker.getTypeOfSymbol(symbol)!)
      .filter((member) => this.#isOurs(member) && member.name !== "prototype");
    const lines = [
      ...statics.map((member) => this.#line(member, `${symbol.name}.`)),
      ...this.#members(symbol).map((member) => this.#line(member)),
    ];
    return lines.join("\n");
  }

  /** Those of its base classes too, in the order of the source. */
  #members(symbol: CompilerSymbol): CompilerSymbol[] {
    const members = this.#checker.getPropertiesOfType(this.#checker.getDeclaredTypeOfSymbol(symbol));
    return members.filter((member) => this.#isOurs(member) && !member.name.includes("#")).sort(bySource);
  }

  #line(member: CompilerSymbol, prefix = ""): string {
    const comment = this.#checker
      .getDocumentationCommentOfSymbol(member)
      .trim()
      .replaceAll(/\s*\n\s*/g, " ");
    return `- \`${prefix}${this.#signature(member)}\`${comment && `<br>\n  ${comment}`}`;
  }

  /** As it stands in the source, without its body, its defaults and what only its implementation needs. */
  #signature(member: CompilerSymbol): string {
    const declaration = member.declarations[0]!.resolve()! as Node & { body?: Node; type?: Node };
    const { text } = sourceOf(declaration);
    const end = declaration.body ? declaration.body.getStart() : declaration.end;
    const header = text
      .slice(declaration.getStart(), end)
      .replaceAll(/\s+/g, " ")
      .replace(/^(?:(?:static|async|override) |\*)+/g, "")
      .replace(/^get (\w+)\(\)/, "readonly $1")
      // What has a default may be left out.
      .replaceAll(/(\w+): ([^,()]+) = \{\}/g, "$1?: $2")
      .replace(/[;,]? *$/, "");
    if (declaration.type) return header;
    const type = this.#checker.getTypeOfSymbol(member)!;
    const [signature] = this.#checker.getSignaturesOfType(type, 0);
    const returned = signature && this.#checker.getReturnTypeOfSignature(signature);
    return returned ? `${header}: ${this.#print(returned)}` : header;
  }

  #typeBody(name: string, symbol: CompilerSymbol): string {
    if (name in ELSEWHERE) return ELSEWHERE[name]!;
    const type = this.#checker.getDeclaredTypeOfSymbol(symbol);
    if (type.flags & TypeFlags.Union) return this.#variants(name, type as UnionType);
    const members = [...this.#checker.getPropertiesOfType(type)].sort(bySource);
    const rows = members.map((member) => [
      `\`${member.name}${isOptional(member) ? "?" : ""}\``,
      `\`${this.#print(this.#checker.getTypeOfSymbol(member)!, isOptional(member))}\``,
      this.#checker
        .getDocumentationCommentOfSymbol(member)
        .trim()
        .replaceAll(/\s*\n\s*/g, " "),
    ]);
    return markdownTable(["field", "type", ""], rows);
  }

  #variants(name: string, type: UnionType): string {
    const lines = type.getTypes().map((variant) => `  | ${this.#print(variant)}`);
    return `\`\`\`ts\ntype ${name} =\n${lines.join("\n")}\n\`\`\``;
  }

  /** In one line, and short: the fields of what is nested deeper are left to the editor. */
  #print(type: Type, isOptional = false): string {
    const whole = this.#checker.typeToString(type).replaceAll(/\s+/g, " ");
    const text = isOptional ? whole.replace(/ \| undefined$/, "") : whole;
    return text.length <= MAX_TYPE_LENGTH ? text : `${text.slice(0, MAX_TYPE_LENGTH - 1)}…`;
  }

  #target(symbol: CompilerSymbol): CompilerSymbol {
    return symbol.flags & SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }

  #isOurs({ declarations }: CompilerSymbol): boolean {
    return declarations.some(({ path }) => path.startsWith(SDK));
  }
}

/** The compiler does not promise an order. */
function bySource(one: CompilerSymbol, other: CompilerSymbol): number {
  const [a, b] = [one.declarations[0]!, other.declarations[0]!];
  return a.path === b.path ? a.index - b.index : a.path < b.path ? -1 : 1;
}

function isOptional({ flags }: CompilerSymbol): boolean {
  return (flags & SymbolFlags.Optional) !== 0;
}

function isClass({ flags }: CompilerSymbol): boolean {
  return (flags & SymbolFlags.Class) !== 0;
}

function sourceOf(node: Node): SourceFile {
  let outer = node;
  while (outer.parent) outer = outer.parent;
  return outer as SourceFile;
}

/** The text of a tag, whichever form the compiler gives it in. */
function textOf(text: unknown): string {
  if (typeof text === "string") return text;
  return Array.isArray(text) ? text.map((part) => (part as { text: string }).text).join("") : "";
}
