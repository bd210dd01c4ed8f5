/** How a recording is played, as an object for tests and as arguments of the program. */
import { parseArgs } from "node:util";

export interface PlayerOptions {
  /** How long the pauses between the agent's lines are: 1 as recorded, 0 none. 0 when absent. */
  readonly pace?: number;
  /** Which process of the recording, from 1. The first when absent. */
  readonly process?: number;
  /** Kinds of recorded client lines that are not awaited: what the client of today does not say. */
  readonly skip?: readonly string[];
  /** Further keys that hold ids the client chooses. */
  readonly ids?: readonly string[];
  /** The number of the last line of the recording that is played. Then the agent is gone. */
  readonly cutAfter?: number;
  /** At the cut, half of the agent's next line is written. */
  readonly halfLine?: boolean;
  /** The signal it dies of, at the cut or at the end. */
  readonly signal?: NodeJS.Signals;
  /** What it says in place of playing when the adapter asks for `--version`. */
  readonly version?: string;
}

export interface PlayerArguments extends PlayerOptions {
  readonly file: string;
  /** What the adapter added, meant for the agent. */
  readonly agentArguments?: readonly string[];
}

export function toArguments({ file, ...options }: PlayerArguments): string[] {
  const { pace, process, skip = [], ids = [], cutAfter, halfLine, signal, version } = options;
  return [
    ...(pace === undefined ? [] : [`--pace=${pace}`]),
    ...(process === undefined ? [] : [`--process=${process}`]),
    ...skip.map((kind) => `--skip=${kind}`),
    ...ids.map((key) => `--id=${key}`),
    ...(cutAfter === undefined ? [] : [`--cut-after=${cutAfter}`]),
    ...(halfLine ? ["--half-line"] : []),
    ...(signal === undefined ? [] : [`--signal=${signal}`]),
    ...(version === undefined ? [] : [`--version=${version}`]),
    file,
  ];
}

/** Its own options come before the file. What follows is meant for the agent it stands in for. */
export function fromArguments(args: readonly string[]): PlayerArguments {
  const place = args.findIndex((argument) => !argument.startsWith("--"));
  const file = args[place];
  if (file === undefined) throw new Error("Give the recording to play: recording-player [OPTIONS] FILE");
  const { values } = parseArgs({
    args: args.slice(0, place),
    options: {
      pace: { type: "string" },
      process: { type: "string" },
      skip: { type: "string", multiple: true },
      id: { type: "string", multiple: true },
      "cut-after": { type: "string" },
      "half-line": { type: "boolean" },
      signal: { type: "string" },
      version: { type: "string" },
    },
  });
  return {
    file,
    pace: toNumber(values.pace),
    process: toNumber(values.process),
    skip: values.skip,
    ids: values.id,
    cutAfter: toNumber(values["cut-after"]),
    halfLine: values["half-line"],
    signal: values.signal as NodeJS.Signals | undefined,
    version: values.version,
    agentArguments: args.slice(place + 1),
  };
}

function toNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
