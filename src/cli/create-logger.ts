/** The daemon's log, on stderr: JSON lines for machines, plain lines for a person at a terminal. Never with secrets. */
import { type DestinationStream, type Logger, levels, pino } from "pino";
import { ConfigError } from "../config/config-error.ts";
import { printable } from "./format-table.ts";

/** Values of these keys are never logged. */
const SECRET_KEYS = ["authorization", "token", "env", "environment"];

export interface LoggerOptions {
  environment: NodeJS.ProcessEnv;
  /** Where it goes; stderr when absent. */
  destination?: DestinationStream;
  /** Plain lines instead of JSON. */
  plain: boolean;
}

export function createLogger({ environment, destination, plain }: LoggerOptions): Logger {
  const target = destination ?? standardError();
  return pino(
    {
      level: readLevel(environment),
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // `err` is the library's own name for it; both are in use.
      serializers: { error: pino.stdSerializers.err, err: pino.stdSerializers.err },
      redact: { paths: SECRET_KEYS.flatMap(pathsOf), censor: "[hidden]" },
    },
    plain ? plainLines(target) : target,
  );
}

function readLevel(environment: NodeJS.ProcessEnv): string {
  const level = environment.INTERLINGUA_LOG_LEVEL?.trim() || "info";
  const known = [...Object.keys(levels.values), "silent"];
  if (known.includes(level)) return level;
  throw new ConfigError(
    `INTERLINGUA_LOG_LEVEL: there is no level "${level}". Use one of ${known.join(", ")}.`,
  );
}

/** pino has no "at any depth", so the depths we log at are spelled out. */
function pathsOf(key: string): string[] {
  return [key, `*.${key}`, `*.*.${key}`, `*.*.*.${key}`];
}

function standardError(): DestinationStream {
  // Written synchronously, so that the last lines before a crash are not lost.
  const destination = pino.destination({ dest: 2, sync: true });
  // A log nobody reads any more must not end the daemon.
  destination.on("error", () => {});
  return destination;
}

/** `14:03:22 info  listening url=http://…` */
function plainLines(target: DestinationStream): DestinationStream {
  return {
    write(line) {
      const { level, time, msg, ...details } = JSON.parse(line) as Record<string, unknown>;
      const facts = Object.entries(details).map(([name, value]) => `${name}=${factOf(value)}`);
      const clock = new Date(String(time)).toTimeString().slice(0, 8);
      target.write(`${clock} ${String(level).padEnd(5)} ${printable([msg, ...facts].join(" "))}\n`);
    },
  };
}

function factOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
