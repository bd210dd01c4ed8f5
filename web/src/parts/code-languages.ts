/** The languages whose code is coloured, by the names people and files give them. */
import type { LanguageFn } from "highlight.js";

type ImportLanguage = () => Promise<{ default: LanguageFn }>;

interface Language {
  /** Other names, and the endings of files. */
  names: readonly string[];
  import: ImportLanguage;
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  bash: { names: ["sh", "shell", "zsh", "console"], import: () => import("highlight.js/lib/languages/bash") },
  c: { names: ["h"], import: () => import("highlight.js/lib/languages/c") },
  cpp: { names: ["c++", "cc", "cxx", "hpp"], import: () => import("highlight.js/lib/languages/cpp") },
  csharp: { names: ["cs"], import: () => import("highlight.js/lib/languages/csharp") },
  css: { names: [], import: () => import("highlight.js/lib/languages/css") },
  dart: { names: [], import: () => import("highlight.js/lib/languages/dart") },
  diff: { names: ["patch"], import: () => import("highlight.js/lib/languages/diff") },
  dockerfile: { names: ["docker"], import: () => import("highlight.js/lib/languages/dockerfile") },
  elixir: { names: ["ex", "exs"], import: () => import("highlight.js/lib/languages/elixir") },
  go: { names: ["golang"], import: () => import("highlight.js/lib/languages/go") },
  graphql: { names: ["gql"], import: () => import("highlight.js/lib/languages/graphql") },
  haskell: { names: ["hs"], import: () => import("highlight.js/lib/languages/haskell") },
  ini: { names: ["toml", "cfg", "conf"], import: () => import("highlight.js/lib/languages/ini") },
  java: { names: [], import: () => import("highlight.js/lib/languages/java") },
  javascript: {
    names: ["js", "jsx", "mjs", "cjs"],
    import: () => import("highlight.js/lib/languages/javascript"),
  },
  json: { names: ["jsonc", "json5", "jsonl"], import: () => import("highlight.js/lib/languages/json") },
  kotlin: { names: ["kt", "kts"], import: () => import("highlight.js/lib/languages/kotlin") },
  less: { names: [], import: () => import("highlight.js/lib/languages/less") },
  lua: { names: [], import: () => import("highlight.js/lib/languages/lua") },
  makefile: { names: ["make", "mk"], import: () => import("highlight.js/lib/languages/makefile") },
  markdown: { names: ["md", "mdx"], import: () => import("highlight.js/lib/languages/markdown") },
  nix: { names: [], import: () => import("highlight.js/lib/languages/nix") },
  objectivec: { names: ["objc", "m"], import: () => import("highlight.js/lib/languages/objectivec") },
  perl: { names: ["pl"], import: () => import("highlight.js/lib/languages/perl") },
  php: { names: [], import: () => import("highlight.js/lib/languages/php") },
  powershell: { names: ["ps1"], import: () => import("highlight.js/lib/languages/powershell") },
  protobuf: { names: ["proto"], import: () => import("highlight.js/lib/languages/protobuf") },
  python: { names: ["py"], import: () => import("highlight.js/lib/languages/python") },
  r: { names: [], import: () => import("highlight.js/lib/languages/r") },
  ruby: { names: ["rb"], import: () => import("highlight.js/lib/languages/ruby") },
  rust: { names: ["rs"], import: () => import("highlight.js/lib/languages/rust") },
  scala: { names: [], import: () => import("highlight.js/lib/languages/scala") },
  scss: { names: [], import: () => import("highlight.js/lib/languages/scss") },
  sql: { names: [], import: () => import("highlight.js/lib/languages/sql") },
  swift: { names: [], import: () => import("highlight.js/lib/languages/swift") },
  typescript: {
    names: ["ts", "tsx", "mts", "cts"],
    import: () => import("highlight.js/lib/languages/typescript"),
  },
  xml: { names: ["html", "svg", "vue", "htm"], import: () => import("highlight.js/lib/languages/xml") },
  yaml: { names: ["yml"], import: () => import("highlight.js/lib/languages/yaml") },
};

/** How the language of this name is loaded; undefined where it is not known. */
export function languageLoader(name: string): { name: string; import: ImportLanguage } | undefined {
  const wanted = name.toLowerCase();
  const found = Object.entries(LANGUAGES).find(
    ([own, { names }]) => own === wanted || names.includes(wanted),
  );
  return found && { name: found[0], import: found[1].import };
}

/** The language of a file, by its name. */
export function languageOfPath(path: string): string | undefined {
  const file = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const ending = file.includes(".") ? file.slice(file.lastIndexOf(".") + 1) : file;
  return languageLoader(ending)?.name;
}
