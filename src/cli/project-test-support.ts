/** A project, a daemon that works in it, and the command line there: what tests of `run`, `chat` and `join` begin with. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { Interlingua } from "../sdk/index.ts";
import { type AtTerminal, CTRL_D, startAtTerminal, type TerminalOptions } from "./terminal-test-support.ts";
import { run, type Served, serve, stop } from "./test-support.ts";

/** What the line shows when an ask of the mock waits for an answer. */
export const PERMISSION = "3) Deny\n> ";
export const QUESTION = "own words.\n> ";
/** How the facts at the end of a turn begin. */
export const TURN_ENDED = "mock-large ·";

/** A chat is with the mock. */
export interface ChatOptions extends TerminalOptions {
  readonly args?: readonly string[];
}

export class ProjectWithDaemon {
  /** Everything else is in it; what tests put there is removed with it. */
  readonly directory = mkdtempSync(join(tmpdir(), "interlingua-project-"));
  readonly project = join(this.directory, "project");
  readonly data = join(this.directory, "data");
  #daemon: Served | undefined;
  #client: Interlingua | undefined;

  get daemon(): Served {
    return this.#daemon!;
  }

  get client(): Interlingua {
    return this.#client!;
  }

  async start(): Promise<void> {
    mkdirSync(this.project);
    this.#daemon = await serve(["--data", this.data, "--root", this.project]);
    this.#client = await Interlingua.connect({ baseUrl: this.daemon.url, token: this.daemon.token });
  }

  async stop(): Promise<void> {
    if (this.#daemon) await stop(this.#daemon);
    rmSync(this.directory, { recursive: true });
  }

  /** Without a terminal. */
  readonly command = (...args: string[]) => run([...args, "--data", this.data], { cwd: this.project });

  readonly at = (args: readonly string[], options: TerminalOptions = {}): AtTerminal =>
    startAtTerminal([...args, "--data", this.data], { cwd: this.project, ...options });

  /** A chat in a session of this id, ready to be typed to. */
  readonly chat = async (session: string, options: ChatOptions = {}): Promise<AtTerminal> => {
    const { args = [], ...rest } = options;
    const terminal = this.at(["chat", "--agent", "mock", "--session", session, ...args], rest);
    await terminal.sees("› ");
    return terminal;
  };

  /** What was given to the agent. */
  readonly prompts = async (session: string) => {
    const { messages } = await (await this.client.sessions.get(session)).messages();
    return messages.filter(({ role }) => role === "user").map(({ content }) => content);
  };

  /** How its asks were answered. */
  readonly answers = async (session: string) => {
    const { events } = await (await this.client.sessions.get(session)).eventsPage({ after: 0, limit: 1000 });
    return events.flatMap((event) => {
      if (event.type !== "ask.answered") return [];
      const { option, message, answers } = event;
      return [{ option, message, answers }];
    });
  };
}

/** For all tests of a file. */
export function projectWithDaemon(): ProjectWithDaemon {
  const here = new ProjectWithDaemon();
  beforeAll(() => here.start());
  afterAll(() => here.stop());
  return here;
}

/** By Ctrl-D. Resolves with the exit code. */
export async function leave(terminal: AtTerminal): Promise<number | null> {
  terminal.type(CTRL_D);
  return (await terminal.ended).code;
}
