/** What the tools of a dialog have answered. */
import { InterlinguaError } from "../../../core/error.ts";
import type { DialectHandlers, DialectServices } from "../../dialect.ts";
import type { SmithyRoutes } from "../routes.ts";
import { type ToolResult, toolResults } from "../tool-results.ts";
import { readMessages } from "./conversation.ts";
import type { DialogsDirectory } from "./dialogs-directory.ts";

/** How much of a result its summary shows. */
const SUMMARY_LENGTH = 200;

export function toolResultHandlers(
  services: DialectServices,
  dialogs: DialogsDirectory,
): Pick<DialectHandlers<SmithyRoutes>, "listSmithyToolResults" | "getSmithyToolResult"> {
  return {
    async listSmithyToolResults({ params }, call) {
      const { id } = await dialogs.require(params.id);
      const found: string[] = [];
      let bytes = 0;
      for await (const { record } of readMessages(services, id)) {
        const items = toolResults(record).map((result) => JSON.stringify(listed(result)));
        for (const item of items) bytes += item.length;
        if (bytes > services.pages.maxBytes) break;
        found.unshift(...items);
      }
      return call.answerJson(200, ["[", found.join(","), "]"]);
    },

    async getSmithyToolResult({ params }, call) {
      const { id } = await dialogs.require(params.id);
      for await (const { record } of readMessages(services, id)) {
        const found = toolResults(record).find((result) => result.call === params.call);
        if (found) return call.answerJson(200, [JSON.stringify(whole(found))]);
      }
      throw new InterlinguaError("not_found", `Tool result not found: ${params.call}`);
    },
  };
}

function listed(result: ToolResult) {
  const { call, name, at, error } = result;
  return {
    tool_call_id: call,
    tool_name: name,
    timestamp: new Date(at).toISOString(),
    ...measured(result),
    ...(error !== undefined && { error }),
  };
}

function whole(result: ToolResult) {
  const { call, name, args, result: value, at } = result;
  return {
    tool_call_id: call,
    tool_name: name,
    args,
    result: value,
    timestamp: new Date(at).toISOString(),
    metadata: measured(result),
  };
}

function measured({ result }: ToolResult) {
  const text = typeof result === "string" ? result : JSON.stringify(result ?? null);
  return { size_bytes: Buffer.byteLength(text), summary: text.slice(0, SUMMARY_LENGTH) };
}
