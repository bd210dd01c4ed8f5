/** `interlingua doctor`: looks at everything a daemon needs and says what is wrong and what to do. */
import { realpathSync } from "node:fs";
import type { Config } from "../../config/config.ts";
import { IN_MEMORY } from "../../config/data-location.ts";
import { type CommandBody, type CommandOptions, type Invocation, JSON_OPTION } from "../command.ts";
import type { Finding } from "../doctor/finding.ts";
import type { RunningDaemon } from "../doctor/running-daemon.ts";
import { formatTable } from "../format-table.ts";
import { print, printJson, terminalWidth } from "../output.ts";
import { SERVE_OPTIONS } from "../serve-options.ts";

const DRIFT_OPTION: CommandOptions = {
  drift: {
    type: "boolean",
    help: "Also look what agents say that is new to Interlingua, or not used by it",
  },
};

export const doctor: CommandBody = {
  positionals: [],
  details: [
    "Where a daemon runs on the data directory, it says what that daemon sees; else what one started from here",
    "would. Takes the settings of serve and changes nothing. Exit code 1 when there is a problem.",
  ].join("\n"),
  options: { ...JSON_OPTION, ...DRIFT_OPTION, ...SERVE_OPTIONS },
  async run({ flags, environment, cwd }) {
    const { resolveConfig } = await import("../../config/resolve-config.ts");
    const config = resolveConfig({ flags: flags.values, environment, cwd });
    const findings = await examine(config, { environment, cwd, drift: flags.on("drift") });
    if (flags.on("json")) printJson(findings);
    else print(toTable(findings));
    return findings.some(({ state }) => state === "problem") ? 1 : 0;
  },
};

interface Surroundings extends Pick<Invocation, "environment" | "cwd"> {
  readonly drift: boolean;
}

async function examine(config: Config, { environment, cwd, drift }: Surroundings): Promise<Finding[]> {
  const { checkAgents } = await import("../doctor/check-agents.ts");
  const { findings, daemon } = config.data === IN_MEMORY ? NO_DATA : await examineData(config, environment);
  return [
    { about: "node", state: "ok", detail: `${process.version} at ${process.execPath}` },
    await (await import("../doctor/check-git.ts")).checkGit(config.checkpoints),
    await checkSettings(config, daemon !== undefined),
    ...findings,
    ...(daemon ? (await import("../doctor/check-roots.ts")).checkRoots(daemon.info, realpathSync(cwd)) : []),
    ...(await checkAgents(config, environment, daemon)),
    ...(await (await import("../doctor/check-dialect-modules.ts")).checkDialectModules(config)),
    ...(drift ? await examineDrift(config, environment, daemon) : []),
  ];
}

async function examineDrift(
  config: Config,
  environment: NodeJS.ProcessEnv,
  daemon: RunningDaemon | undefined,
): Promise<Finding[]> {
  const { checkDrift } = await import("../doctor/check-drift.ts");
  const { checkUnread } = await import("../doctor/check-unread.ts");
  return [...(await checkDrift(config, environment)), ...(daemon ? checkUnread(daemon.agents) : [])];
}

async function checkSettings(config: Config, daemonRuns: boolean): Promise<Finding> {
  const { checkConfig } = await import("../../config/check-config.ts");
  const about = "settings";
  try {
    checkConfig(config);
  } catch (error) {
    return { about, state: "problem", detail: (error as Error).message };
  }
  const who = daemonRuns ? "a daemon started from here would let sessions work in" : "sessions may work in";
  return { about, state: "ok", detail: `${who} ${config.roots.join(", ")}` };
}

interface DataFindings {
  readonly findings: Finding[];
  /** Where one runs and can be asked. */
  readonly daemon?: RunningDaemon;
}

const NO_DATA: DataFindings = { findings: [] };

async function examineData(
  { data: directory, store }: Pick<Config, "data" | "store">,
  environment: NodeJS.ProcessEnv,
): Promise<DataFindings> {
  const { checkDaemon } = await import("../doctor/check-daemon.ts");
  const { checkDatabase } = await import("../doctor/check-database.ts");
  const { checkDataDirectory, checkFreeSpace } = await import("../doctor/check-data-directory.ts");
  const { checkProcesses } = await import("../doctor/check-processes.ts");
  const directoryFinding = checkDataDirectory(directory);
  if (directoryFinding.state === "problem") return { findings: [directoryFinding] };
  const { runs, findings, daemon } = await checkDaemon(directory, environment);
  return {
    findings: [
      directoryFinding,
      checkFreeSpace(directory),
      await checkDatabase({ data: directory, store }),
      ...findings,
      await checkProcesses(directory, runs),
    ],
    daemon,
  };
}

function toTable(findings: readonly Finding[]): string {
  return formatTable(
    ["ABOUT", "STATE", "DETAIL"],
    findings.map(({ about, state, detail }) => [about, state, detail]),
    terminalWidth(),
    "wrap",
  );
}
