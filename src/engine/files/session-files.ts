/**
 * The files of a session that travel by git: captured before the end of a turn is written, and laid down where another node
 * goes on, before its agent starts. What cannot be captured never loses a turn: then the session stays where its files are.
 */
import { errorText } from "../../core/error-text.ts";
import type { GitFiles } from "../../core/git-files.ts";
import { overlap } from "../../core/is-inside.ts";
import type { Services } from "../engine-services.ts";
import type { SessionLog } from "../session/session-log.ts";
import {
  type AboutFiles,
  aboutPieces,
  hasLaterWork,
  MAX_EARLIER,
  noPieces,
  packPieces,
  readPack,
  readStoredFiles,
} from "./stored-files.ts";
import { workspaceBusy } from "./workspace-refusals.ts";

const BEHIND = "What was done there after that is not among them.";

export interface SessionFilesOptions {
  log: SessionLog;
  services: Pick<Services, "gitFiles" | "store" | "limits" | "logger" | "inRestore" | "turns">;
  notice(level: "info" | "warning", code: string, text: string): void;
}

export class SessionFiles {
  readonly #options: SessionFilesOptions;
  /** Undefined where nothing is stored. */
  #about: AboutFiles | undefined;
  /** The numbers of the next pieces. */
  #next = { about: 0, pack: 0 };
  #loading: Promise<void> | undefined;
  /** Until the last call of `bring` has ended. */
  #bringing: Promise<void> = Promise.resolve();
  /** One after the other. */
  #capturing: Promise<void> = Promise.resolve();
  /** What was last said to be wrong. */
  #problem: string | undefined;

  constructor(options: SessionFilesOptions) {
    this.#options = options;
  }

  /** Undefined where they do not travel. */
  get #files(): GitFiles | undefined {
    const { log, services } = this.#options;
    const { gitFiles } = services;
    if (log.claim === undefined || log.hasEnded || log.access.missing === "files") return undefined;
    return gitFiles?.travels(log.state.cwd) ? gitFiles : undefined;
  }

  /**
   * Before the agent starts, and before files are restored or approved. Rejects where there is something in the way, and then
   * nothing is changed.
   */
  async bring(signal: AbortSignal): Promise<void> {
    const former = this.#bringing;
    const ended = Promise.withResolvers<void>();
    this.#bringing = former.then(() => ended.promise);
    try {
      await unlessAborted(() => former, signal);
      await this.#bring(signal);
    } finally {
      ended.resolve();
    }
  }

  async #bring(signal: AbortSignal): Promise<void> {
    const files = this.#files;
    if (!files) return;
    await this.#load();
    const about = this.#about;
    if (!about || about.at === files.daemon) return;
    const { log, services, notice } = this.#options;
    const { cwd, id } = log.state;
    while (services.inRestore.isHeld(cwd))
      await unlessAborted(() => services.inRestore.released(cwd), signal);
    signal.throwIfAborted();
    // Prompts of other sessions wait.
    const release = services.inRestore.hold(cwd);
    try {
      this.#assertQuiet();
      const pack = () => readPack(services.store, id);
      const done = await files.layDown(cwd, { files: about, earlier: about.earlier, pack }, signal);
      const isBehind = await hasLaterWork(services.store, id, about.seq);
      if (done !== undefined) notice("info", "files", isBehind ? `${done} ${BEHIND}` : done);
      else if (isBehind) notice("info", "files", `The files are as another node captured them. ${BEHIND}`);
      this.#keep({ ...about, at: files.daemon, seq: log.state.head });
    } finally {
      release();
    }
  }

  /** An agent that works there would find other files under its hands. */
  #assertQuiet(): void {
    const { log, services } = this.#options;
    const { cwd, id } = log.state;
    const busy = [...services.turns.liveStates()].find(
      (state) => state.id !== id && state.turn && overlap(state.cwd, cwd),
    );
    if (!busy) return;
    const { title } = busy;
    const detail = `Session "${busy.id}" works in ${busy.cwd}, where the files of this session have to be laid down. Prompt again when its turn has ended.`;
    throw workspaceBusy(detail, { id: busy.id, ...(title !== undefined && { title }) });
  }

  /** A turn is about to end, the agent is gone, or files were restored: what has to be waited for. Never rejects. */
  capture(): Promise<void> | undefined {
    const files = this.#files;
    if (!files) return undefined;
    this.#capturing = this.#capturing.then(() => this.#capture(files));
    return this.#capturing;
  }

  async #capture(files: GitFiles): Promise<void> {
    const { log, services } = this.#options;
    const { checkpointTimeoutMs: ms } = services.limits;
    const { cwd, head: seq } = log.state;
    const late = AbortSignal.timeout(ms);
    try {
      await this.#load();
      const former = this.#about;
      // They are still to be laid down: what is here is not theirs.
      if (former && former.at !== files.daemon) return;
      const { files: captured, pack } = await files.capture(cwd, former, late);
      const about = { ...captured, at: files.daemon, seq, ...this.#earlierThan(captured.tree) };
      if (pack) {
        const pieces = packPieces(this.#next.pack, pack);
        this.#next.pack += pieces.length;
        log.remember(pieces);
      }
      this.#keep({ ...about, packNext: this.#next.pack });
      this.#problem = undefined;
    } catch (error) {
      this.#stay(late.aborted ? `they were not read within ${ms / 1000} seconds` : errorText(error));
    }
  }

  #earlierThan(tree: string): Pick<AboutFiles, "earlier"> {
    const former = this.#about;
    if (!former || former.tree === tree) return { earlier: former?.earlier ?? [] };
    const trees = [former.tree, ...former.earlier].filter((each) => each !== tree);
    return { earlier: [...new Set(trees)].slice(0, MAX_EARLIER) };
  }

  #keep(about: AboutFiles): void {
    const pieces = aboutPieces(this.#next.about, about);
    this.#next.about += pieces.length;
    this.#about = about;
    this.#options.log.remember(pieces);
  }

  /** What is stored is not what the files are: nobody may go on from it. */
  #stay(problem: string): void {
    const { log, services, notice } = this.#options;
    if (log.hasEnded) return;
    const isKnown = this.#loading !== undefined;
    if (!isKnown) log.remember(noPieces(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER));
    else if (this.#about) log.remember(noPieces(this.#next.about, this.#next.pack));
    this.#about = undefined;
    if (this.#problem === problem) return;
    this.#problem = problem;
    services.logger.warn({ session: log.state.id, problem }, "the files of a session were not captured");
    const text = `The files were not captured: ${problem.replace(/\.$/, "")}. Until that succeeds, this session runs at this node only.`;
    notice("warning", "files", text);
  }

  #load(): Promise<void> {
    this.#loading ??= this.#read().catch((error) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  async #read(): Promise<void> {
    const { log, services } = this.#options;
    const { about, aboutNext } = await readStoredFiles(services.store, log.state.id);
    this.#about = about;
    this.#next = { about: aboutNext, pack: about?.packNext ?? 0 };
  }
}

/** Rejects when aborted. */
async function unlessAborted(wait: () => Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<void>();
  const abort = () => aborted.resolve();
  signal.addEventListener("abort", abort);
  await Promise.race([wait(), aborted.promise]);
  signal.removeEventListener("abort", abort);
  signal.throwIfAborted();
}
