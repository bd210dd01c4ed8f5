/** The known agents: found by name, probed with a cached result, asked only for what they can do. */
import type { AgentSettings, BackendAdapter } from "../../core/adapter.ts";
import { agentNameOf } from "../../core/agent-alias.ts";
import type { AgentStatus } from "../../core/capability.ts";
import { InterlinguaError } from "../../core/error.ts";
import { type InstallProgress, type Programs, programFile, requirePreset } from "../../core/program.ts";
import type { AgentView, InstalledAgent } from "../../protocol/commands/command-types.ts";
import { agentNotFound } from "../../protocol/refusals.ts";
import { givenSettings, type WantedSettings } from "./settings-changes.ts";

/** How long the result of a probe is cached. */
const PROBE_FRESH_MS = 30_000;

export class AgentList {
  readonly #agents: ReadonlyMap<string, BackendAdapter>;
  readonly #now: () => number;
  readonly #probes = new Map<string, { at: number; status: Promise<AgentStatus> }>();

  constructor(agents: ReadonlyMap<string, BackendAdapter>, now: () => number) {
    this.#agents = agents;
    this.#now = now;
  }

  all(): AgentView[] {
    return [...this.#agents.values()].map(viewOf);
  }

  /** Throws `agent_not_found` with the names there are. Another name of an agent gives the agent. */
  get(name: string): BackendAdapter {
    const adapter = this.#agents.get(agentNameOf(name));
    if (adapter) return adapter;
    throw agentNotFound(name, [...this.#agents.keys()]);
  }

  /** The modes it has before it runs, and where it never tells of any; undefined when it has none. */
  declaredModes(name: string): { id: string }[] | undefined {
    const modes = this.#agents.get(name)?.capabilities.modes ?? [];
    return modes.length > 0 ? modes.map((id) => ({ id })) : undefined;
  }

  async probe(given: string): Promise<AgentView> {
    const adapter = this.get(given);
    const name = agentNameOf(given);
    const known = this.#probes.get(name);
    const now = this.#now();
    const probe = known && now - known.at < PROBE_FRESH_MS ? known : { at: now, status: adapter.probe() };
    this.#probes.set(name, probe);
    const status = await probe.status;
    // It may be installed any moment, and another probe costs little.
    if (!status.installed) this.#probes.delete(name);
    return { ...viewOf(adapter), status };
  }

  /** Throws `unsupported` for an agent that has nothing to install, and what `Programs.install` throws. */
  async install(
    name: string,
    programs: Pick<Programs, "install">,
    onProgress?: (progress: InstallProgress) => void,
  ): Promise<InstalledAgent> {
    const preset = requirePreset(this.get(name));
    const program = await programs.install(preset, { onProgress });
    this.#probes.delete(agentNameOf(name));
    return { version: preset.version, path: programFile(program) };
  }

  /** The wanted settings with what follows from them. Rejects with `unsupported` for what the agent does not have. */
  async settle(name: string, settings: WantedSettings): Promise<AgentSettings> {
    const wanted = givenSettings(settings);
    // A session whose agent is no longer known can still be closed.
    if (Object.keys(wanted).length === 0) return wanted;
    this.assertModes(name, wanted);
    return (await this.get(name).settle?.(wanted)) ?? wanted;
  }

  /** Throws `unsupported` for a mode the agent does not have, as far as that is known before it runs. */
  assertModes(name: string, wanted: { mode?: string; permissionMode?: string }): void {
    const { modes, moreModes, permissionModes } = this.get(name).capabilities;
    if (wanted.mode !== undefined && !moreModes && !modes.includes(wanted.mode)) {
      const known = modes.join(", ") || "none";
      const remedy = modes.length === 0 && permissionModes.length > 0 ? " Set permissionMode instead." : "";
      throw new InterlinguaError(
        "unsupported",
        `${name} has no mode "${wanted.mode}". It has: ${known}.${remedy}`,
      );
    }
    if (
      wanted.permissionMode !== undefined &&
      !permissionModes.some((mode) => mode === wanted.permissionMode)
    ) {
      const known = permissionModes.join(", ") || "none";
      throw new InterlinguaError(
        "unsupported",
        `${name} has no permission mode "${wanted.permissionMode}". It has: ${known}.`,
      );
    }
  }
}

function viewOf({ name, title = name, capabilities, program }: BackendAdapter): AgentView {
  return { name, title, capabilities, installable: program?.version };
}
