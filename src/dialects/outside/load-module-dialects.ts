/** Loads the dialects that the config names. Every complaint names the setting, the file and the remedy. */
import { InterlinguaError } from "../../core/error.ts";
import { errorText } from "../../core/error-text.ts";
import { createDefault } from "../../modules/create-default.ts";
import type { ModuleErrors, ModuleLogger } from "../../modules/module-errors.ts";
import type { AnyDialect } from "../dialect.ts";
import type { ModuleDialect } from "./dialect-module.ts";
import { outsideDialect } from "./outside-dialect.ts";
import { readDialect } from "./read-dialect.ts";

export interface LoadModuleDialectsOptions {
  /** Dialects that are mounted, too. */
  readonly known: readonly AnyDialect[];
  /** Throws if these cannot be mounted side by side. */
  check(dialects: readonly AnyDialect[]): void;
  readonly errors: ModuleErrors;
  readonly logger: ModuleLogger;
}

/** `v1` is our own protocol, where commands say through which they came. */
const OWN_NAMES = ["v1"];

/** Rejects with `invalid_request` for the first that cannot be used. */
export async function loadModuleDialects(
  modules: readonly ModuleDialect[],
  { known, check, errors, logger }: LoadModuleDialectsOptions,
): Promise<AnyDialect[]> {
  const dialects: AnyDialect[] = [];
  for (const module of modules) {
    const { name, options = {} } = module;
    if ([...OWN_NAMES, ...known.map((dialect) => dialect.name)].includes(name))
      throw refusal(module, `the dialect "${name}" comes with Interlingua. Give yours another name.`);
    try {
      const dialect = await errors.run({ dialect: name }, async () => {
        const { made } = await createDefault(module.module, {
          what: "dialect",
          advice: "Connect to what it needs in its handlers, not before.",
          context: { name, options, logger },
          hasOptions: module.options !== undefined,
        });
        return readDialect(name, made);
      });
      check([...known, ...dialects, dialect]);
      dialects.push(outsideDialect(dialect, errors));
    } catch (error) {
      throw refusal(module, errorText(error), error);
    }
  }
  return dialects;
}

function refusal({ name, module }: ModuleDialect, reason: string, cause?: unknown): InterlinguaError {
  const detail = reason.startsWith("there is no file") ? reason : `${module}: ${reason}`;
  return new InterlinguaError("invalid_request", `dialects.${name}.module: ${detail}`, { cause });
}
