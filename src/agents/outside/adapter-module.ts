/** What a module that the config names gives, and what it is given. */
import type { BackendAdapter } from "../../core/adapter.ts";
import type { UnifiedAdapter } from "../../unified/unified-adapter.ts";
import type { AgentMeans, DefinedProtocol } from "../transport/define-protocol.ts";

/** Takes what an adapter wants to tell whoever runs the daemon. Never give it secrets, prompts or answers. */
export interface AdapterLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** What the daemon gives an adapter from outside to work with. */
export interface AdapterContext extends AgentMeans {
  /** The agent's name: its key in `agents` of the config. */
  readonly name: string;
  /** `options` of the agent in the config, as they stand there. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly logger: AdapterLogger;
}

/** An adapter in either shape. */
type AnyAdapter = BackendAdapter | UnifiedAdapter;

/**
 * The default export of a module: an adapter, what `defineProtocol` gives, or a function or class that makes an adapter.
 *
 * @example export default ((context) => protocol.createAdapter(context)) satisfies AdapterModule;
 */
export type AdapterModule =
  | AnyAdapter
  | Pick<DefinedProtocol, "createAdapter">
  | ((context: AdapterContext) => AnyAdapter | Promise<AnyAdapter>)
  | (new (
      context: AdapterContext,
    ) => AnyAdapter);

/** An agent of the config that a module runs. */
export interface ModuleAgent {
  readonly name: string;
  /** The file, as an absolute path. */
  readonly module: string;
  readonly options?: Readonly<Record<string, unknown>>;
}
