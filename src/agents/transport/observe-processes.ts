/** Shows what processes say that no session has yet: those that sessions share, while they are being started. */
import type { RawDraft } from "../../core/raw-record.ts";
import type { Line } from "../../process/line-splitter.ts";
import type { AgentProcess, ProcessHost } from "../../process/process-host.ts";
import { lineText } from "./line-text.ts";

/** What is written to them is left out: it may be a key. */
export function observeProcesses(
  host: Pick<ProcessHost, "spawn">,
  observe: (record: RawDraft) => void,
): Pick<ProcessHost, "spawn"> {
  return {
    async spawn(options) {
      const { command, args, onStderrLine } = options;
      // It may write before its start is known.
      let early: string[] | undefined = [];
      const observeStderr = (text: string) =>
        observe({ direction: "process", data: { event: "stderr", text } });
      const process = await host.spawn({
        ...options,
        onStderrLine(text) {
          if (early) early.push(text);
          else observeStderr(text);
          onStderrLine?.(text);
        },
      });
      const spawned = { event: "spawn" as const, pid: process.pid, command, args: [...args] };
      observe({ direction: "process", data: spawned });
      early.forEach(observeStderr);
      early = undefined;
      void process.exited.then(({ code, signal }) => {
        const stderr = process.stderrTail();
        observe({ direction: "process", data: { event: "exit", code, signal, stderr } });
      });
      return observed(process, (line) => observe({ direction: "in", data: lineText(line) }));
    },
  };
}

function observed(process: AgentProcess, heard: (line: Line) => void): AgentProcess {
  return {
    pid: process.pid,
    startTime: process.startTime,
    exited: process.exited,
    lines: each(process.lines, heard),
    lineBatches: each(process.lineBatches, (batch) => batch.forEach(heard)),
    stderrTail: () => process.stderrTail(),
    write: (line) => process.write(line),
    closeInput: () => process.closeInput(),
    end: (options) => process.end(options),
  };
}

function each<Item>(items: AsyncIterable<Item>, see: (item: Item) => void): AsyncIterable<Item> {
  return {
    async *[Symbol.asyncIterator]() {
      for await (const item of items) {
        see(item);
        yield item;
      }
    },
  };
}
