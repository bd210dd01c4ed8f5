/** Installs the agent of a session that waits for it. The session's log shows the progress. */
import type { InstallProgress, ProgramPreset, Programs } from "../../core/program.ts";

export interface InstallAgentOptions {
  readonly signal: AbortSignal;
  /** Puts a notice with the code `install` into the log. */
  notice(text: string, data: unknown): void;
}

/** Rejects as `Programs.install` does. */
export async function installAgent(
  programs: Pick<Programs, "install">,
  preset: ProgramPreset,
  { signal, notice }: InstallAgentOptions,
): Promise<void> {
  const what = `${preset.agent} ${preset.version}`;
  let told = 0;
  notice(`Installing ${what}.`, { phase: "preparing" });
  await programs.install(preset, {
    signal,
    onProgress(progress) {
      const quarter = quarterOf(progress);
      if (quarter <= told) return;
      told = quarter;
      notice(`Installing ${what}: ${quarter * 25} %.`, progress);
    },
  });
  notice(`${what} is installed.`, { phase: "installed" });
}

/** A log is kept for years: three steps are enough. The last one is the end, which has its own notice. */
function quarterOf({ bytes = 0, total = 0 }: InstallProgress): number {
  return total === 0 ? 0 : Math.min(3, Math.floor((4 * bytes) / total));
}
