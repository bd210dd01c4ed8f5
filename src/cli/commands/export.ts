/** `interlingua export SESSION`: takes a session out of the daemon, in a format that others can read. */
import { createWriteStream } from "node:fs";
import { resolve } from "node:path";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type CommandBody, type Flags, READER_OPTIONS } from "../command.ts";
import { EXPORT_FORMATS, type ExportFormat } from "../export/export-formats.ts";
import { openReader } from "../open-reader.ts";
import { resolveSession } from "../resolve-session.ts";
import { UsageError } from "../usage-error.ts";

const FORMATS = Object.keys(EXPORT_FORMATS);

export const exportSession: CommandBody = {
  positionals: ["SESSION"],
  details: "raw is the recording of what its agent said and was told; interlingua replay reads it.",
  options: {
    as: {
      type: "string",
      placeholder: "FORMAT",
      values: FORMATS,
      help: `Write it as ${FORMATS.join(", ")} (raw)`,
    },
    output: { type: "string", placeholder: "FILE", help: "Write to this file, which must not exist yet" },
    ...READER_OPTIONS,
  },
  async run(invocation) {
    const { flags, positionals, cwd } = invocation;
    const format = readFormat(flags);
    const reader = await openReader(invocation);
    try {
      const id = await resolveSession(reader, positionals[0]!);
      const output = flags.text("output");
      await write(format(reader, id), output === undefined ? undefined : resolve(cwd, output));
      return 0;
    } finally {
      await reader.close();
    }
  },
};

/** Stdout stays open. */
async function write(text: AsyncIterable<string>, path: string | undefined): Promise<void> {
  if (path === undefined) return pipeline(text, process.stdout as Writable, { end: false });
  try {
    // Conversations are private.
    await pipeline(text, createWriteStream(path, { flags: "wx", mode: 0o600 }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new Error(`--output: ${path} exists. Give another name, or remove it first.`, { cause: error });
  }
}

function readFormat(flags: Flags): ExportFormat {
  const name = flags.text("as") ?? "raw";
  const format = Object.hasOwn(EXPORT_FORMATS, name) ? EXPORT_FORMATS[name] : undefined;
  if (format) return format;
  throw new UsageError(`--as: there is no format "${name}". Use one of ${FORMATS.join(", ")}.`);
}
