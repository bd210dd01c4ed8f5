/** `interlingua doctor`: looks at everything a daemon needs and says what is wrong and what to do. */
import type { Config } from "../../config/config.ts";
import { IN_MEMORY } from "../../config/data-location.ts";
import { type CommandBody, type CommandOptions, JSON_OPTION } from "../command.ts";
import type { Finding } from "../doctor/finding.ts";
import { formatTable } from "../format-table.ts";
import { print, printJson, terminalWidth } from "../output.ts";
import { SERVE_OPTIONS } from "../serve-options.ts";

const DRIFT_OPTION: CommandOptions = {
  drift: { type: "boolean", help: "Also look what installed agents say that is new to Interlingua" },
};

export const doctor: CommandBody = {
  positionals: [],
  details: "Takes the settings of serve and changes nothing. Exit code 1 when there is a problem.",
  options: { ...JSON_OPTION, ...DRIFT_OPTION, ...SERVE_OPTIONS },
  async run({ flags, environment, cwd }) {
    const { resolveConfig } = await import("../../config/resolve-config.ts");
    const config = resolveConfig({ flags: flags.values, environment, cwd });
    const findings = [
      ...(await examine(config, environment)),
      ...(flags.on("drift") ? await examineDrift(config, environment) : []),
    ];
    if (flags.on("json")) printJson(findings);
    else print(toTable(findings));
    return findings.some(({ state }) => state === "problem") ? 1 : 0;
  },
};

async function examine(config: Config, environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  const { checkAgents } = await import("../doctor/check-agents.ts");
  return [
    { about: "node", state: "ok", detail: `${process.version} at ${process.execPath}` },
    await checkSettings(config),
    ...(config.data === IN_MEMORY ? [] : await examineData(config.data, environment)),
    ...(await checkAgents(config, environment)),
  ];
}

async function examineDrift(config: Config, environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  const { checkDrift } = await import("../doctor/check-drift.ts");
  return checkDrift(config, environment);
}

async function checkSettings(config: Config): Promise<Finding> {
  const { checkConfig } = await import("../../config/check-config.ts");
  const about = "settings";
  try {
    checkConfig(config);
  } catch (error) {
    return { about, state: "problem", detail: (error as Error).message };
  }
  return { about, state: "ok", detail: `sessions may work in ${config.roots.join(", ")}` };
}

async function examineData(directory: string, environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  const { checkDaemon } = await import("../doctor/check-daemon.ts");
  const { checkDatabase } = await import("../doctor/check-database.ts");
  const { checkDataDirectory, checkFreeSpace } = await import("../doctor/check-data-directory.ts");
  const { checkProcesses } = await import("../doctor/check-processes.ts");
  const { checkUnread } = await import("../doctor/check-unread.ts");
  const directoryFinding = checkDataDirectory(directory);
  if (directoryFinding.state === "problem") return [directoryFinding];
  const { finding, runs } = await checkDaemon(directory);
  return [
    directoryFinding,
    checkFreeSpace(directory),
    await checkDatabase(directory),
    finding,
    await checkProcesses(directory, runs),
    ...(runs && finding.state === "ok" ? await checkUnread(directory, environment) : []),
  ];
}

function toTable(findings: readonly Finding[]): string {
  return formatTable(
    ["ABOUT", "STATE", "DETAIL"],
    findings.map(({ about, state, detail }) => [about, state, detail]),
    terminalWidth(),
  );
}
