/** What a module of the config that is a dialect gives, and what it is given. */
import type { ModuleLogger } from "../../modules/module-errors.ts";
import type { AnyDialect, Dialect, DialectRoutes } from "../dialect.ts";

/** What the daemon gives a dialect from outside to begin with. */
export interface DialectContext {
  /** The dialect's name: its key in `dialects` of the config. */
  readonly name: string;
  /** `options` of the dialect in the config, as they stand there. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly logger: ModuleLogger;
}

/**
 * A dialect without its name, which the config gives.
 *
 * @example export default { description, path: "/lines", routes, handlers, view, contentRoutes: [] } satisfies DialectDefinition<typeof routes>;
 */
export type DialectDefinition<Routes extends DialectRoutes> = Omit<Dialect<Routes>, "name">;

/** Any dialect without its name. */
export type AnyDialectDefinition = Omit<AnyDialect, "name">;

/**
 * The default export of a module: a dialect, or a function that makes one. A class is made without arguments.
 *
 * @example export default (({ options }) => createDialect(options)) satisfies DialectModule;
 */
export type DialectModule =
  | AnyDialectDefinition
  | ((context: DialectContext) => AnyDialectDefinition | Promise<AnyDialectDefinition>)
  | (new (
      context: DialectContext,
    ) => AnyDialectDefinition);

/** A dialect of the config. */
export interface ModuleDialect {
  readonly name: string;
  /** The file, as an absolute path. */
  readonly module: string;
  readonly options?: Readonly<Record<string, unknown>>;
}
