/** What a module that the config names gives, and what it is given. */
import type { BackendAdapter } from "../../core/adapter.ts";
import type { ModuleLogger } from "../../modules/module-errors.ts";
import type { UnifiedAdapter } from "../../unified/unified-adapter.ts";
import type { DeclaredAsking } from "../asking-rules.ts";
import type { AgentMeans, DefinedProtocol } from "../transport/define-protocol.ts";

/** What the daemon gives an adapter from outside to work with. */
export interface AdapterContext extends AgentMeans {
  /** The agent's name: its key in `agents` of the config. */
  readonly name: string;
  /** `options` of the agent in the config, as they stand there. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly logger: ModuleLogger;
}

/** An adapter in either shape. */
type AnyAdapter = BackendAdapter | UnifiedAdapter;

/**
 * The default export of a module: an adapter, what `defineProtocol` gives, a function that makes an adapter, or an
 * adapter's class. Only the function gets the context: nobody knows what the constructor of a class takes.
 *
 * @example export default ((context) => protocol.createAdapter(context)) satisfies AdapterModule;
 */
export type AdapterModule =
  | AnyAdapter
  | Pick<DefinedProtocol, "createAdapter">
  | ((context: AdapterContext) => AnyAdapter | Promise<AnyAdapter>)
  | (new () => AnyAdapter);

/** An agent of the config that a module runs. */
export interface ModuleAgent {
  readonly name: string;
  /** The file, as an absolute path. */
  readonly module: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly asks?: DeclaredAsking;
}
