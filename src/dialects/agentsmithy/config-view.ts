/**
 * The daemon's models in the form of AgentSmithy's config: each model of the agent is a workload, and the one in use is that
 * of the agent "universal". It has no keys and nothing else that could be changed.
 */

export interface ModelChoice {
  agent: string;
  /** Those the agent offers, as far as they are known. */
  models: readonly string[];
  /** The one in use; the agent's own choice when absent. */
  model?: string;
}

/** The workload of an agent that chooses its model itself. */
export const DEFAULT_WORKLOAD = "default";

export interface SmithyConfig {
  config: Record<string, unknown>;
  metadata: Record<string, unknown>;
}

export function configView({ agent, models, model }: ModelChoice): SmithyConfig {
  const chosen = model ?? DEFAULT_WORKLOAD;
  const names = [...new Set([...(model === undefined ? [DEFAULT_WORKLOAD] : []), ...models, chosen])];
  const workloads = names.map((name) => ({ name, provider: agent, model: name, kind: "chat" }));
  return {
    config: {
      providers: { [agent]: { type: agent } },
      workloads: Object.fromEntries(
        workloads.map(({ name, provider, kind }) => [name, { provider, model: name, kind }]),
      ),
      models: {
        agents: { universal: { workload: chosen }, inspector: { workload: chosen } },
        embeddings: {},
        summarization: { workload: chosen },
      },
    },
    metadata: {
      provider_types: [agent],
      workload_kinds: ["chat"],
      providers: [{ name: agent, type: agent }],
      agent_provider_slots: [],
      workloads,
      model_catalog: { [agent]: { chat: [...models] } },
    },
  };
}

/** Where a client writes the model it picked. */
const MODEL_PATH = "models.agents.universal.workload";

/** What a patch asks for: a workload if it changes that, and the paths of what cannot be changed. */
export function readPatch(
  patch: Readonly<Record<string, unknown>>,
  { config }: SmithyConfig,
): { workload?: string; refused: string[] } {
  const refused: string[] = [];
  let workload: string | undefined;
  for (const { path, value, present } of leaves(patch, config)) {
    if (path === MODEL_PATH && typeof value === "string" && value !== "") workload = value;
    // A client may send the whole of what it got.
    else if (value !== present) refused.push(path);
  }
  return { ...(workload !== undefined && { workload }), refused };
}

interface Leaf {
  path: string;
  value: unknown;
  /** What is there now. */
  present: unknown;
}

function* leaves(patch: object, present: unknown, parents: readonly string[] = []): Generator<Leaf> {
  for (const [name, value] of Object.entries(patch)) {
    const path = [...parents, name];
    const beside = isRecord(present) && Object.hasOwn(present, name) ? present[name] : undefined;
    if (isRecord(value)) yield* leaves(value, beside, path);
    else yield { path: path.join("."), value, present: beside };
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
