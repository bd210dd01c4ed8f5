/** What Amp's `--help` says: flags and modes have changed with almost every version. Pure. */

export interface AmpFlags {
  readonly names: ReadonlySet<string>;
  /** The values of `--mode`. */
  readonly modes: readonly string[];
}

export function readHelp(help: string): AmpFlags {
  const options = help.slice(Math.max(0, help.indexOf("\nOptions:")));
  const names = [...options.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, name]) => name!);
  const [, modes = ""] = /--mode <value>\s[^(]*\(([^)]*)\)/.exec(options) ?? [];
  return { names: new Set(names), modes: modes.split(/,\s*/).filter((mode) => /^[\w-]+$/.test(mode)) };
}
