/** Loads the agents whose adapters are modules that the config names. Every complaint names the setting, the file and the remedy. */
import { z } from "zod";
import type { BackendAdapter } from "../../core/adapter.ts";
import { capabilitiesSchema } from "../../core/capability.ts";
import { InterlinguaError } from "../../core/error.ts";
import { errorText } from "../../core/error-text.ts";
import { isObject } from "../../core/is-record.ts";
import { createDefault } from "../../modules/create-default.ts";
import type { ModuleErrors } from "../../modules/module-errors.ts";
import { type FromUnifiedOptions, fromUnifiedAdapter } from "../../unified/from-unified-adapter.ts";
import type { UnifiedAdapter } from "../../unified/unified-adapter.ts";
import type { AdapterContext, ModuleAgent } from "./adapter-module.ts";
import { outsideAdapter } from "./outside-adapter.ts";

const MAX_TITLE_LENGTH = 64;

export interface LoadModuleAgentsOptions {
  readonly taken: readonly string[];
  contextOf(name: string): Omit<AdapterContext, "name" | "options">;
  readonly errors: ModuleErrors;
}

/** Rejects with `invalid_request` for the first that cannot be used. */
export async function loadModuleAgents(
  modules: readonly ModuleAgent[],
  { taken, contextOf, errors }: LoadModuleAgentsOptions,
): Promise<BackendAdapter[]> {
  const adapters: BackendAdapter[] = [];
  for (const agent of modules) {
    const { name, options = {} } = agent;
    if (taken.includes(name))
      throw refusal(agent, `the agent "${name}" comes with Interlingua. Give yours another name.`);
    const context: AdapterContext = { ...contextOf(name), name, options };
    try {
      const adapter = await errors.run({ agent: name }, () => createFrom(agent, context));
      adapters.push(outsideAdapter(adapter, context, errors));
    } catch (error) {
      throw refusal(agent, errorText(error), error);
    }
  }
  return adapters;
}

async function createFrom(agent: ModuleAgent, context: AdapterContext): Promise<BackendAdapter> {
  const { made, exported } = await createDefault(agent.module, {
    what: "adapter",
    advice: "Connect to the agent in connect, not before.",
    context,
    hasOptions: agent.options !== undefined,
    factory: "createAdapter",
  });
  return readAdapter(made, exported.unified);
}

/** The adapter as one of ours, whichever of the two shapes it has. Throws for what is no adapter. */
function readAdapter(given: unknown, unified: unknown): BackendAdapter {
  if (!isObject(given))
    throw new Error("its default export gives no adapter: an object with connect and capabilities.");
  if (typeof given.connect !== "function") throw new Error("the adapter has no method connect. Add it.");
  if (isUnified(given)) return fromUnified(given, unified);
  if (unified !== undefined)
    throw new Error("its export unified is for adapters of the UnifiedMessage shape. Take it out.");
  assertFits(capabilitiesSchema, given.capabilities, "the adapter's capabilities");
  for (const method of ["probe", "release", "settle"])
    if (given[method] !== undefined && typeof given[method] !== "function")
      throw new Error(`the adapter's ${method} is no method. Make it one, or leave it out.`);
  const { title, environmentKeys: keys } = given;
  if (title !== undefined && (typeof title !== "string" || title === "" || title.length > MAX_TITLE_LENGTH))
    throw new Error(
      `the adapter's title is no text of 1 to ${MAX_TITLE_LENGTH} characters. Give one, or leave it out.`,
    );
  if (keys !== undefined && !(Array.isArray(keys) && keys.every((key) => typeof key === "string")))
    throw new Error("the adapter's environmentKeys are no list of names. Give one, or leave it out.");
  return given as unknown as BackendAdapter;
}

const unifiedCapabilities = capabilitiesSchema.pick({
  streaming: true,
  permissions: true,
  slashCommands: true,
  availability: true,
});

const unifiedOptions = z.strictObject({
  capabilities: capabilitiesSchema.partial().strict().optional(),
  adapterOptions: z.array(z.string()).optional(),
  environmentKeys: z.array(z.string()).optional(),
  turnEnd: z.enum(["result", "assistant"]).optional(),
});

/** That protocol has four capabilities, and its adapters have nothing but `connect`. */
function isUnified({ capabilities, probe, release }: Readonly<Record<string, unknown>>): boolean {
  return (
    isObject(capabilities) &&
    probe === undefined &&
    release === undefined &&
    unifiedCapabilities.safeParse(capabilities).success &&
    !("modes" in capabilities)
  );
}

function fromUnified(given: object, options: unknown): BackendAdapter {
  if (options !== undefined) assertFits(unifiedOptions, options, "its export unified");
  return fromUnifiedAdapter(given as UnifiedAdapter, options as FromUnifiedOptions | undefined);
}

function assertFits(schema: z.ZodType, value: unknown, what: string): void {
  const parsed = schema.safeParse(value);
  if (parsed.success) return;
  const [{ path = [], message = "" } = {}] = parsed.error.issues;
  throw new Error(`${[what, ...path].join(".")} cannot be used: ${message}. Declare it as the guide says.`);
}

function refusal({ name, module }: ModuleAgent, reason: string, cause?: unknown): InterlinguaError {
  const detail = reason.startsWith("there is no file") ? reason : `${module}: ${reason}`;
  return new InterlinguaError("invalid_request", `agents.${name}.module: ${detail}`, { cause });
}
