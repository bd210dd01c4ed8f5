/** Loads a module that the config names and makes what it gives by default. Rejects with sentences that have a remedy. */
import { errorText } from "../core/error-text.ts";
import { requireTrustedFile } from "../files/trusted-file.ts";
import { importModule } from "./import-module.ts";

const CREATE_MS = 30_000;

export interface CreateDefaultOptions<Context> {
  /** The noun for errors: `adapter`. */
  readonly what: string;
  /** What takes too long belongs elsewhere: `Connect to the agent in connect, not before.` */
  readonly advice: string;
  /** What a function gets. A class gets no arguments. */
  readonly context: Context;
  /** Whether the config has options, which only a function can take. */
  readonly hasOptions: boolean;
  /** The property of an object whose method makes it; none when absent. */
  readonly factory?: string;
}

export interface CreatedDefault {
  readonly made: unknown;
  /** What else the module exports. */
  readonly exported: Readonly<Record<string, unknown>>;
}

/** @param file The path after the config was read. It is loaded only if nobody else can change it. */
export async function createDefault<Context>(
  file: string,
  options: CreateDefaultOptions<Context>,
): Promise<CreatedDefault> {
  const exported = await importModule(requireTrustedFile(file));
  return { made: await makeFrom(exported.default, options), exported };
}

async function makeFrom<Context>(given: unknown, options: CreateDefaultOptions<Context>): Promise<unknown> {
  const { what, context, hasOptions, factory } = options;
  if (given === undefined)
    throw new Error(`it has no default export. Export the ${what}, or a function that makes it, as default.`);
  if (isClass(given)) return construct(given, options);
  if (typeof given === "function")
    return inTime(async () => (given as (context: unknown) => unknown)(context), options);
  const make = factory !== undefined && (given as Record<string, unknown> | null)?.[factory];
  if (typeof make === "function") return inTime(async () => Reflect.apply(make, given, [context]), options);
  if (hasOptions)
    throw new Error("its default export is no function, so nothing takes the options. Take them out.");
  return given;
}

function isClass(given: unknown): given is new () => unknown {
  return typeof given === "function" && /^class\b/.test(Function.prototype.toString.call(given));
}

/** Without arguments: a class that was written for another program does not expect our context. */
function construct(
  given: new () => unknown,
  { what, hasOptions }: Pick<CreateDefaultOptions<unknown>, "what" | "hasOptions">,
): unknown {
  const remedy = `Export a function that gets the context and gives the ${what}.`;
  if (hasOptions) throw new Error(`its default export is a class, so nothing takes the options. ${remedy}`);
  try {
    return new given();
  } catch (error) {
    const text = `making the ${what} failed: ${errorText(error)}`;
    if (given.length === 0) throw new Error(text);
    throw new Error(`${text.replace(/\.?$/, ".")} A class gets no arguments. ${remedy}`);
  }
}

async function inTime(
  create: () => Promise<unknown>,
  { what, advice }: Pick<CreateDefaultOptions<unknown>, "what" | "advice">,
): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const text = `it gave no ${what} within ${CREATE_MS / 1000} seconds. ${advice}`;
    timer = setTimeout(() => reject(new Error(text)), CREATE_MS);
  });
  const failed = (error: unknown) => {
    throw new Error(`making the ${what} failed: ${errorText(error)}`);
  };
  return Promise.race([create().catch(failed), late]).finally(() => clearTimeout(timer));
}
