/** Providers of models for the agent of our own, as the config file and a session may describe them. */
import { z } from "zod";

export const providerTypeSchema = z.enum(["anthropic", "openai", "google", "openai-compatible"]);

const address = z.url({ protocol: /^https?$/, error: "must be a URL such as http://127.0.0.1:8000/v1" });
const variableName = z.string().regex(/^[A-Za-z_]\w*$/, "must be the name of a variable");
const dollars = z.number().nonnegative();

/** Dollars for a million tokens. */
export const modelPriceSchema = z.strictObject({
  input: dollars,
  output: dollars,
  cacheRead: dollars.optional(),
  cacheWrite: dollars.optional(),
});

export const modelProviderSchema = z.strictObject({
  type: providerTypeSchema.optional(),
  /** The base address of its API, `http://127.0.0.1:11434/v1` say. */
  url: address.optional(),
  /** The variable that holds its key. */
  keyEnv: variableName.optional(),
  /** Further headers. `$NAME` in a value stands for a variable. */
  headers: z.record(z.string(), z.string()).optional(),
  /** The models it is known to have; the first one is its default. */
  models: z.array(z.string().min(1)).optional(),
  /** How many tokens fit into its models, where they are not known. */
  window: z.int().positive().optional(),
  /** By the model's name. */
  prices: z.record(z.string(), modelPriceSchema).optional(),
});

/** Those that are known without a config. */
export const BUILT_IN_PROVIDERS = ["anthropic", "openai", "google", "ollama"] as const;

/** The providers by name, as `model: "name/model"` uses it. */
export const modelProvidersSchema = z
  .record(
    z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, "must be a name of small letters, digits, ., _ and -"),
    modelProviderSchema,
  )
  .superRefine((providers, context) => {
    for (const [name, { type = "openai-compatible", url }] of Object.entries(providers)) {
      const isKnown = type !== "openai-compatible" || BUILT_IN_PROVIDERS.some((known) => known === name);
      if (url !== undefined || isKnown) continue;
      context.addIssue({
        code: "custom",
        path: [name, "url"],
        message: "is missing: give the address of its API, such as http://127.0.0.1:8000/v1",
      });
    }
  });

/** What the agent's tools for the web may reach. */
export const webAccessSchema = z.strictObject({
  /** Private, loopback and link-local addresses too. */
  allowPrivate: z.boolean().optional(),
  /** The service that answers searches. There is no search without one. */
  search: z
    .discriminatedUnion("type", [
      z.strictObject({ type: z.literal("searxng"), url: address }),
      z.strictObject({ type: z.literal("brave"), keyEnv: variableName, url: address.optional() }),
    ])
    .optional(),
});

export type ProviderType = z.infer<typeof providerTypeSchema>;
export type ModelPrice = z.infer<typeof modelPriceSchema>;
export type ModelProvider = z.infer<typeof modelProviderSchema>;
export type ModelProviders = Readonly<Record<string, ModelProvider>>;
export type WebAccess = z.infer<typeof webAccessSchema>;
