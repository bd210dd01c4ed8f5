/**
 * The daemon's models in the form of AgentSmithy's config: each model of the agent is a workload, and the one in use is that
 * of the agent "universal". It has no keys and nothing else that could be changed.
 */
import { isRecord } from "../../core/is-record.ts";

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

/** A refusal names so many of the paths that it is about, and so much of each. */
const MAX_NAMED = 20;
const MAX_NAME_LENGTH = 200;

export interface ReadPatch {
  /** The one it chooses. */
  workload?: string;
  /** The first paths of what cannot be changed. */
  refused: string[];
  /** How many there are. */
  refusedCount: number;
}

/** What a patch asks for. It is as large as its sender likes, so only what the config has is looked into. */
export function readPatch(patch: Readonly<Record<string, unknown>>, { config }: SmithyConfig): ReadPatch {
  const read: ReadPatch = { refused: [], refusedCount: 0 };
  for (const { names, value, present } of changes(patch, config)) {
    if (value !== "" && typeof value === "string" && names.join(".") === MODEL_PATH) {
      read.workload = value;
      continue;
    }
    // A client may send the whole of what it got.
    if (value === present) continue;
    read.refusedCount += 1;
    if (read.refused.length < MAX_NAMED) read.refused.push(shortened(names.map(shortened).join(".")));
  }
  return read;
}

/** What a refusal can say of a value of any length. */
export function shortened(text: string): string {
  return text.length > MAX_NAME_LENGTH ? `${text.slice(0, MAX_NAME_LENGTH)}…` : text;
}

export function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  const shown = names.slice(0, MAX_NAMED).map(shortened).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}

interface Change {
  names: readonly string[];
  value: unknown;
  /** What is there now. */
  present: unknown;
}

function* changes(
  patch: Readonly<Record<string, unknown>>,
  present: Readonly<Record<string, unknown>>,
  parents: readonly string[] = [],
): Generator<Change> {
  for (const [name, value] of Object.entries(patch)) {
    const names = [...parents, name];
    const beside = Object.hasOwn(present, name) ? present[name] : undefined;
    if (isRecord(value) && isRecord(beside)) yield* changes(value, beside, names);
    else yield { names, value, present: beside };
  }
}
