/** A command: how to parse its arguments, print its help and run it. */

export interface CommandOption {
  readonly type: "string" | "boolean";
  readonly multiple?: boolean;
  /** The placeholder of the value in help texts. */
  readonly placeholder?: string;
  /** All there are, where that is known beforehand. */
  readonly values?: readonly string[];
  /** The environment variable that does the same. */
  readonly variable?: string;
  readonly help: string;
}

export type CommandOptions = Readonly<Record<string, CommandOption>>;

export interface CliCommand {
  /** As it is typed: `tail`, `db check`. */
  readonly name: string;
  /** Its arguments in order; the last ones are optional when written in brackets: `[SESSION]`. */
  readonly positionals: readonly string[];
  readonly summary: string;
  /** More text for its own help. */
  readonly details?: string;
  readonly options: CommandOptions;
  /** Resolves with the exit code. Prints what was asked for on stdout and everything else on stderr. */
  run(invocation: Invocation): Promise<number>;
}

/** What a command's own file says of it; name and summary stand in the table of commands. */
export type CommandBody = Omit<CliCommand, "name" | "summary">;

export interface Invocation {
  readonly flags: Flags;
  readonly positionals: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** Values by flag name, as the command's options declare them. */
export interface Flags {
  readonly values: Readonly<Record<string, unknown>>;
  text(name: string): string | undefined;
  on(name: string): boolean;
}

/** The flags of every command that talks to a running daemon. */
export const CLIENT_OPTIONS: CommandOptions = {
  data: {
    type: "string",
    placeholder: "DIRECTORY",
    variable: "INTERLINGUA_DATA",
    help: "Data directory of the daemon to talk to",
  },
  url: {
    type: "string",
    placeholder: "URL",
    variable: "INTERLINGUA_URL",
    help: "Talk to this daemon instead; its token comes from INTERLINGUA_TOKEN",
  },
};

/** For commands that can also read the data directory. */
export const READER_OPTIONS: CommandOptions = {
  ...CLIENT_OPTIONS,
  data: {
    ...CLIENT_OPTIONS.data!,
    help: "Data directory of the daemon to talk to; read itself when none runs",
  },
};

export const CONFIG_OPTION: CommandOptions = {
  config: {
    type: "string",
    placeholder: "FILE",
    variable: "INTERLINGUA_CONFIG",
    help: "Settings in JSON (DATA/config.json if it is there)",
  },
};

export const JSON_OPTION: CommandOptions = {
  json: { type: "boolean", help: "Print JSON" },
};
