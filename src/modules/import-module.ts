/** Imports a module that the config names: TypeScript by Node's own stripping of types, once for each version of the file. */
import { existsSync, statSync } from "node:fs";
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { ownProgram } from "../package-root.ts";

const IMPORT_MS = 30_000;

/** Rejects with a sentence that has a remedy. */
export async function importModule(file: string): Promise<Readonly<Record<string, unknown>>> {
  // Whoever changes the file and starts a second daemon in this process gets the new one.
  const { mtimeMs } = statSync(file);
  const url = `${pathToFileURL(file).href}?changed=${mtimeMs}`;
  using _hooks = offerOwnPackage();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const text = `it was not loaded within ${IMPORT_MS / 1000} seconds. Its top level may wait for nothing that can hang.`;
      reject(new Error(text));
    }, IMPORT_MS);
  });
  try {
    return await Promise.race([import(url), late]);
  } catch (error) {
    throw new Error(explain(error), { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** Paths in src/ of what the package exports, where they are not `NAME/index`. */
const EXPORTS: Readonly<Record<string, string>> = {
  interlingua: "daemon",
  "interlingua/ai-sdk": "dialects/ai-sdk/library",
};

/** A module that has no `interlingua` installed beside it gets the one that runs it. */
function offerOwnPackage(): Disposable {
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      try {
        return nextResolve(specifier, context);
      } catch (error) {
        const [, name] = /^interlingua(?:\/([a-z-]+))?$/.exec(specifier) ?? [];
        if (name === undefined && specifier !== "interlingua") throw error;
        const own = ownProgram(EXPORTS[specifier] ?? `${name}/index`);
        if (!existsSync(own)) throw error;
        return nextResolve(pathToFileURL(own).href, context);
      }
    },
  });
  return { [Symbol.dispose]: () => hooks.deregister() };
}

function explain(error: unknown): string {
  const { code, message = String(error) } = (error ?? {}) as NodeJS.ErrnoException;
  const line = message.replace(/\s*\n\s*/g, " ").replace(/\.$/, "");
  switch (code) {
    case "ERR_MODULE_NOT_FOUND":
      return `${line}. Install the package beside the file, or correct the import; relative ones end in .ts or .js.`;
    case "ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING":
      return `${line}. Node strips no types below node_modules: name the compiled JavaScript, or keep the file elsewhere.`;
    case "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX":
      return `${line}. Node only strips types: write it without enums, namespaces and parameter properties, or name compiled JavaScript.`;
    case "ERR_UNKNOWN_FILE_EXTENSION":
      return `${line}. Name a file that ends in .ts, .mts, .js or .mjs.`;
    default:
      return `it could not be loaded: ${line}.`;
  }
}
