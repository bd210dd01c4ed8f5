/** The dialects that the config names: whether a daemon could be started with them. */
import type { Config } from "../../config/config.ts";
import { loadDialects } from "../../load-dialects.ts";
import { ModuleErrors } from "../../modules/module-errors.ts";
import type { Finding } from "./finding.ts";

const SILENT = { info() {}, warn() {}, error() {} };

/** Nothing where there are none. */
export async function checkDialectModules(config: Config): Promise<Finding[]> {
  const names = Object.keys(config.dialectModules);
  if (names.length === 0) return [];
  const about = "dialects";
  try {
    const loaded = await loadDialects({ config, errors: new ModuleErrors(SILENT), logger: SILENT });
    const paths = loaded
      .filter(({ name }) => names.includes(name))
      .map(({ name, path }) => `${name} at ${path}`);
    return [{ about, state: "ok", detail: paths.join(", ") }];
  } catch (error) {
    return [{ about, state: "problem", detail: (error as Error).message }];
  }
}
