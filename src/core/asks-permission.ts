/**
 * Whether an agent asks a person before it acts: the one answer that rights, the port without a token and the page go by.
 * The reviewed rules of each agent are given by its adapter; nothing of a single agent belongs here.
 */
import { type AskOption, isRejection } from "./ask.ts";
import type { BackendCapabilities } from "./capability.ts";
import type { CommandRight } from "./prompt-commands.ts";
import type { Setting, SettingValue } from "./setting.ts";

/** `unknown` where neither the reviewed rules nor the agent's own words say it. Whoever decides by it takes it for a no. */
export type Asks = "yes" | "no" | "unknown";

export interface AsksAnswer {
  readonly asks: Asks;
  /** The field that decides, such as `permissionMode` or `settings.allow_all`. Absent where the agent itself does. */
  readonly path?: string;
  readonly reason: string;
  /** Unknown because the user's own configuration of the agent decides, as it does with nothing chosen. */
  readonly asItComes?: true;
}

/**
 * What was reviewed of one agent. A mode or value "asks" if, in it, a person or a sandbox decides about each command that can
 * reach beyond the files of the session. It does not where the model decides what to ask about. A value that has nothing to
 * do with permissions leaves an asking agent asking, so it is a yes.
 */
export interface AskingRules {
  /** With nothing chosen and nothing reported yet: as the agent comes. */
  readonly unset: Asks;
  readonly permissionModes?: Readonly<Record<string, Asks>>;
  readonly modes?: Readonly<Record<string, Asks>>;
  /** Options of its asks that do more than allow one tool or command, by id. An option that names a mode needs no line. */
  readonly askOptions?: Readonly<Record<string, Asks>>;
  /** The mode that an option of an ask switches to, where neither its id nor `covers` is just that. */
  optionMode?(option: AskOption): string | undefined;
  /** By id, then for all values or by value, where `*` stands for those that are not listed. */
  readonly settings?: Readonly<Record<string, Asks | Readonly<Record<string, Asks>>>>;
  /** The rights that its slash commands need. One that is not listed needs `session.settings`. */
  readonly commands?: Readonly<Record<string, CommandRight>>;
  /** Why the agent may not ask in any mode, whatever it reports. For what the owner has configured. */
  readonly doubt?: string;
  /** Launch options that turn asking off. Gives the field, as in `options.sandbox`. */
  unaskedOption?(options: Readonly<Record<string, unknown>>): string | undefined;
}

/** What an adapter says of its agent. Without rules nothing is known but what the agent says itself. */
export interface AskingAgent {
  readonly capabilities: Pick<BackendCapabilities, "permissions" | "slashCommands">;
  readonly asking?: AskingRules;
}

interface NamedChoice {
  readonly id: string;
  readonly name?: string;
  readonly description?: string;
}

/** How a session works, as far as that is known. */
export interface WayOfWorking {
  readonly mode?: string;
  readonly permissionMode?: string;
  readonly modes?: readonly NamedChoice[];
  /** The values in force, or those that the agent will begin with. */
  readonly settings?: readonly Setting[];
  readonly options?: Readonly<Record<string, unknown>>;
}

/** What a request wants to change. `null` gives a setting back to the agent. */
export interface WantedWay {
  readonly mode?: string;
  readonly permissionMode?: string;
  readonly settings?: Readonly<Record<string, SettingValue | null>>;
}

const NO_RULES: AskingRules = { unset: "unknown" };

const NEVER_ASKS: AsksAnswer = { asks: "no", reason: "this agent never asks" };

/**
 * Whether the agent of a session asks, as the session works now.
 *
 * @example
 * const capabilities = { permissions: true, slashCommands: true };
 * sessionAsks({ capabilities }, { mode: "yolo" });
 * // => { asks: "no", path: "mode", reason: 'the mode "yolo" does not ask' }
 */
export function sessionAsks(agent: AskingAgent, way: WayOfWorking): AsksAnswer {
  if (!agent.capabilities.permissions) return NEVER_ASKS;
  const { asking = NO_RULES } = agent;
  const option = way.options && asking.unaskedOption?.(way.options);
  const answers = [
    ...(option === undefined ? [] : [answerOf("no", option, `the launch option "${option}"`)]),
    ...modeAnswers(asking, way, way),
    ...(way.settings ?? []).map((setting) => settingAnswer(asking, setting)),
  ];
  if (way.mode === undefined && way.permissionMode === undefined) {
    const reason =
      asking.unset === "yes"
        ? "as it comes this agent asks"
        : asking.unset === "no"
          ? "as it comes this agent does not ask about everything"
          : "the mode it begins with is not known to ask";
    answers.push({ asks: asking.unset, reason, ...(asking.unset === "unknown" && { asItComes: true }) });
  }
  if (asking.doubt !== undefined) answers.push({ asks: "unknown", reason: asking.doubt, asItComes: true });
  return worst(answers);
}

/**
 * Whether the agent asks in the wanted modes and with the wanted settings. A change of anything else gives a yes. So does a
 * setting of `null`: the agent chooses its value, as it does for a session where nobody has chosen one.
 *
 * @example
 * const agent = { capabilities: { permissions: true, slashCommands: true } };
 * changeAsks(agent, {}, { settings: { effort: "high" } }).asks; // => "unknown"
 */
export function changeAsks(agent: AskingAgent, way: WayOfWorking, wanted: WantedWay): AsksAnswer {
  const { asking = NO_RULES } = agent;
  const settings = Object.entries(wanted.settings ?? {}).flatMap(([id, value]) => {
    if (value === null) return [];
    const known = way.settings?.find((setting) => setting.id === id);
    return [settingAnswer(asking, { name: id, ...known, id, value })];
  });
  const answer = worst([...modeAnswers(asking, way, wanted), ...settings]);
  if (agent.capabilities.permissions || answer.path === undefined) return answer;
  return { ...NEVER_ASKS, path: answer.path };
}

/**
 * Whether the agent still asks after a person chose this option of an ask. An option that allows one tool or command leaves it
 * asking. An option counts as a change of the mode or setting that its id, or what it covers, names.
 *
 * @example
 * const agent = { capabilities: { permissions: true, slashCommands: true } };
 * optionAsks(agent, {}, { id: "bypassPermissions", label: "Yes, and bypass permissions", effect: "always" }).asks; // => "no"
 */
export function optionAsks(agent: AskingAgent, way: WayOfWorking, option: AskOption): AsksAnswer {
  if (isRejection(option.effect)) return worst([]);
  const { asking = NO_RULES } = agent;
  const reviewed = rated(asking.askOptions, option.id);
  if (reviewed !== undefined) return answerOf(reviewed, "option", `the option "${option.label}"`);
  const mode = asking.optionMode?.(option);
  const names = [option.id, ...(option.covers ?? []), ...(mode === undefined ? [] : [mode])];
  const isMode = (name: string) =>
    name === mode ||
    rated(asking.modes, name) !== undefined ||
    (way.modes?.some(({ id }) => id === name) ?? false) ||
    (name === option.id && hinted(name) === "no");
  const answers = names.flatMap((name) => {
    if (rated(asking.permissionModes, name)) return modeAnswers(asking, way, { permissionMode: name });
    if (isMode(name)) return modeAnswers(asking, way, { mode: name });
    const known = way.settings?.find(({ id }) => id === name);
    const isSetting = known !== undefined || Object.hasOwn(asking.settings ?? {}, name);
    // Which value the option gives the setting nobody knows.
    return isSetting ? [settingAnswer(asking, { name, ...known, id: name, value: "" })] : [];
  });
  return { ...worst(answers), path: "option" };
}

/** The first of the answers that ask least. */
function worst(answers: readonly AsksAnswer[]): AsksAnswer {
  const found =
    answers.find(({ asks }) => asks === "no") ??
    answers.find(({ asks, asItComes }) => asks === "unknown" && !asItComes) ??
    answers.find(({ asks }) => asks === "unknown") ??
    answers[0];
  return found ?? { asks: "yes", reason: "nothing that decides about asking changes" };
}

function modeAnswers(
  asking: AskingRules,
  way: WayOfWorking,
  { mode, permissionMode }: Pick<WantedWay, "mode" | "permissionMode">,
): AsksAnswer[] {
  const answers: AsksAnswer[] = [];
  if (permissionMode !== undefined) {
    const asks = rated(asking.permissionModes, permissionMode) ?? hinted(permissionMode);
    const answer = answerOf(asks, "permissionMode", `the permission mode "${permissionMode}"`);
    answers.push(asReviewed(asking, asking.permissionModes, permissionMode, answer));
  }
  if (mode !== undefined) {
    const known = way.modes?.find(({ id }) => id === mode);
    const asks = rated(asking.modes, mode) ?? hinted(mode, known?.name, known?.description);
    // Where an agent has permission modes of ours, they hold in all of its own modes.
    const isCovered = asks === "unknown" && isAsking(asking, permissionMode ?? way.permissionMode);
    const answer = answerOf(isCovered ? "yes" : asks, "mode", `the mode "${mode}"`);
    answers.push(asReviewed(asking, asking.modes, mode, answer));
  }
  return answers;
}

/** A mode that was reviewed and is unknown: the agent asks in it as its own configuration says, as with no mode chosen. */
function asReviewed(
  { unset }: AskingRules,
  rules: AskingRules["modes"],
  id: string,
  answer: AsksAnswer,
): AsksAnswer {
  const isAsItComes = answer.asks === "unknown" && unset === "unknown" && rated(rules, id) === "unknown";
  return isAsItComes ? { ...answer, asItComes: true } : answer;
}

function isAsking({ permissionModes }: AskingRules, permissionMode: string | undefined): boolean {
  return permissionMode !== undefined && rated(permissionModes, permissionMode) === "yes";
}

/** Categories of settings that have nothing to do with permissions, as the Agent Client Protocol names them. */
const HARMLESS_CATEGORIES: ReadonlySet<string> = new Set(["model", "model_config", "thought_level"]);

function settingAnswer(asking: AskingRules, setting: Setting): AsksAnswer {
  return answerOf(settingAsks(asking, setting), `settings.${setting.id}`, describeSetting(setting));
}

function describeSetting({ id, value }: Pick<Setting, "id" | "value">): string {
  return `the setting "${id}" at "${value}"`;
}

function settingAsks({ settings = {} }: AskingRules, setting: Setting): Asks {
  const { id, value, category, choices } = setting;
  const rules = Object.hasOwn(settings, id) ? settings[id] : undefined;
  if (typeof rules === "string") return rules;
  const reviewed = rated(rules, String(value)) ?? rated(rules, "*");
  if (reviewed) return reviewed;
  const choice = choices?.find((known) => known.id === value);
  const about = plain(`${id} ${setting.name}`);
  const isHinted =
    typeof value === "string"
      ? NO_WORDS.test(plain(value)) ||
        saysNo(choice?.name, choice?.description) ||
        (ABOUT_PERMISSIONS.test(about) && NO_NAMES.has(plain(value)))
      : value
        ? NO_WORDS.test(about) || saysNo(setting.description)
        : ABOUT_PERMISSIONS.test(about);
  if (isHinted) return "no";
  if (rules) return "unknown";
  return category !== undefined && HARMLESS_CATEGORIES.has(category) ? "yes" : "unknown";
}

function rated(rules: Readonly<Record<string, Asks>> | undefined, id: string): Asks | undefined {
  return rules && Object.hasOwn(rules, id) ? rules[id] : undefined;
}

/** Words of agents for not asking. They only ever say no: a mode that sounds harmless stays unknown. */
const NO_WORDS =
  /bypass|yolo|fullaccess|danger|unrestricted|unsafe|(?:allow|accept|approve|trust)(?:all|everything)|autoapprove|autopilot|autonomous|skippermission|dontask|neverask|noask/;

/** Names that mean it as a whole. As a part of others they mean less: `autoEdit`, `auto_compact`. */
const NO_NAMES: ReadonlySet<string> = new Set(["auto", "never", "none"]);

const NO_SENTENCES = /auto(?:matically|-)? ?approves? (?:all|every)|without asking|skip (?:all )?permission/i;

/** Settings about what an agent may do, of which a plain "off" or "never" says enough. */
const ABOUT_PERMISSIONS = /approv|permission|sandbox|trust/;

function hinted(id: string, ...words: readonly (string | undefined)[]): Asks {
  return NO_NAMES.has(plain(id)) || saysNo(id, ...words) ? "no" : "unknown";
}

function saysNo(...words: readonly (string | undefined)[]): boolean {
  return words.some((word) => word !== undefined && (NO_WORDS.test(plain(word)) || NO_SENTENCES.test(word)));
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, "");
}

function answerOf(asks: Asks, path: string, what: string): AsksAnswer {
  const says = { yes: "asks", no: "does not ask", unknown: "is not known to ask" }[asks];
  return { asks, path, reason: `${what} ${says}` };
}
