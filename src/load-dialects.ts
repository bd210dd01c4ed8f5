/** Every client protocol of a daemon: those that come with it, those its program gives, and those its config names. */
import type { Config } from "./config/config.ts";
import { checkDialectConfig } from "./config/dialect-config.ts";
import type { AnyDialect } from "./dialects/dialect.ts";
import { DIALECTS } from "./dialects/registry.ts";
import type { ModuleErrors, ModuleLogger } from "./modules/module-errors.ts";
import { checkDialects } from "./server/dialects/check-dialects.ts";

export interface LoadDialectsOptions {
  readonly config: Pick<Config, "dialectModules">;
  /** What the program gives that starts the daemon. */
  readonly given?: readonly AnyDialect[];
  readonly errors: ModuleErrors;
  readonly logger: ModuleLogger;
}

/** Rejects with a sentence that says what to change. */
export async function loadDialects(options: LoadDialectsOptions): Promise<readonly AnyDialect[]> {
  const { config, given = [], errors, logger } = options;
  const known = [...DIALECTS, ...given];
  checkDialects(known);
  const modules = Object.entries(config.dialectModules).map(([name, settings]) => ({ name, ...settings }));
  if (modules.length === 0) return known;
  checkDialectConfig(config.dialectModules);
  // Nearly nobody has one.
  const { loadModuleDialects } = await import("./dialects/outside/load-module-dialects.ts");
  return [...known, ...(await loadModuleDialects(modules, { known, check: checkDialects, errors, logger }))];
}
