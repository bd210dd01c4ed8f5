/** The thread that searches, which is ended when it does not answer in time. */
import { Worker } from "node:worker_threads";
import { ownProgram } from "../../../../../package-root.ts";
import { ToolFailure } from "../tool-failure.ts";
import type { SearchMatch, SearchRequest, SearchSettings } from "./search-protocol.ts";

/** One question at a time. Rejects with `ToolFailure` when an answer takes too long or is aborted; that is its end. */
export interface SearchThread extends AsyncDisposable {
  /** Whether a file is like the pattern. */
  isWanted(path: string): Promise<boolean>;
  /** The matches, at most `max` of each file. */
  search(files: readonly { path: string; text: string }[], max: number): Promise<SearchMatch[]>;
}

export function startSearchThread(
  settings: SearchSettings,
  options: { answerMs: number; signal: AbortSignal },
): SearchThread {
  const worker = new Worker(ownProgram("agents/model/program/tools/search/search-worker"), {
    workerData: settings,
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  // It can fail before the first question.
  let failure: Error | undefined;
  worker.on("error", (error: Error) => {
    failure = error;
  });

  const ask = (request: SearchRequest) =>
    new Promise<unknown>((resolve, reject) => {
      const finish = (act: () => void) => {
        clearTimeout(timer);
        options.signal.removeEventListener("abort", abort);
        worker.off("message", answer);
        worker.off("error", fail);
        act();
      };
      const answer = (value: unknown) => finish(() => resolve(value));
      const fail = (error: Error) =>
        finish(() =>
          reject(new ToolFailure("exception", `The search failed: ${error.message}`, { cause: error })),
        );
      const abort = () => finish(() => reject(new ToolFailure("aborted", "The search was stopped.")));
      const timer = setTimeout(
        () =>
          finish(() =>
            reject(
              new ToolFailure(
                "timeout",
                "The regular expression or the file pattern takes too long. Use a simpler one, without repetitions inside of repetitions.",
              ),
            ),
          ),
        options.answerMs,
      );
      worker.on("message", answer);
      worker.on("error", fail);
      options.signal.addEventListener("abort", abort);
      if (options.signal.aborted) abort();
      else if (failure) fail(failure);
      else worker.postMessage(request);
    });

  return {
    isWanted: async (path) => (await ask({ type: "name", path })) as boolean,
    search: async (files, max) => (await ask({ type: "texts", files, max })) as SearchMatch[],
    async [Symbol.asyncDispose]() {
      await worker.terminate();
    },
  };
}
