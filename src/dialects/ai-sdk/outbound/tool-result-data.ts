/** Details of a result that its chunk has no field for. */
import type { ToolResultData } from "../data-part.ts";
import type { ToolResultEvent } from "./tool-calls.ts";

/** `outputTail` is the end of the call's streamed output. Undefined if there are no details. */
export function toolResultData(event: ToolResultEvent, outputTail: string): ToolResultData | undefined {
  const data: ToolResultData = { call: event.call };
  if (event.type === "tool.output") {
    if (event.truncatedFrom !== undefined) data.truncatedFrom = event.truncatedFrom;
    if (event.running) data.running = true;
  } else {
    const output = event.type === "tool.failed" ? event.output : undefined;
    if (output !== undefined || outputTail !== "") data.output = output ?? outputTail;
    if (event.type === "tool.abandoned") data.unfinished = event.stopped ? "stopped" : "lost";
  }
  if ("exitCode" in event && event.exitCode !== undefined) data.exitCode = event.exitCode;
  return Object.keys(data).length > 1 ? data : undefined;
}
