/** Which setting lets an agent do everything without asking. */
import type { SettingValue } from "./setting.ts";

/** What clients can set of how an agent works. */
export interface WayOfWorking {
  readonly mode?: string;
  readonly permissionMode?: string;
  readonly settings?: Readonly<Record<string, SettingValue | null>>;
}

/**
 * How agents call it. Modes and settings have names of their agents' choice, so this goes by the words they use: one that
 * only sounds like it is taken for it, too.
 */
const WORDS =
  /bypass|yolo|fullaccess|danger|unrestricted|unsafe|(?:allow|accept|approve|trust)(?:all|everything)|autoapprove|autonomous|skippermission|dontask|neverask|noask/;

/** Names that mean it as a whole. As a part of others they mean less: `autoEdit`, `auto_compact`. */
const NAMES = new Set(["auto", "never", "none"]);

/** Settings about what an agent may do, of which a plain "on" or "never" says enough. */
const ABOUT_PERMISSIONS = /approv|permission|sandbox|trust/;

/**
 * The path of the field, such as `permissionMode` or `settings.sandbox`. Undefined if none does.
 *
 * @example
 * findBypass({ mode: "plan", settings: { sandbox: "dangerFullAccess" } }); // => "settings.sandbox"
 */
export function findBypass({ mode, permissionMode, settings = {} }: WayOfWorking): string | undefined {
  if (permissionMode !== undefined && isBypass(permissionMode)) return "permissionMode";
  if (mode !== undefined && isBypass(mode)) return "mode";
  for (const [id, value] of Object.entries(settings)) {
    const isAbout = ABOUT_PERMISSIONS.test(plain(id));
    if (typeof value === "string" && (isAbout ? isBypass(value) : WORDS.test(plain(value))))
      return `settings.${id}`;
    if (value === true && WORDS.test(plain(id))) return `settings.${id}`;
    if (value === false && isAbout) return `settings.${id}`;
  }
  return undefined;
}

function isBypass(value: string): boolean {
  const name = plain(value);
  return NAMES.has(name) || WORDS.test(name);
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, "");
}
