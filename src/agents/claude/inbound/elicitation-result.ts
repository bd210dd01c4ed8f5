/** The answers to an MCP server's form, in the types its fields have. */
import { isRejection } from "../../../core/ask.ts";
import type { CommandOf } from "../../../core/command.ts";
import { ownValue } from "../../../core/own-value.ts";
import type { Elicitation, ElicitationField, ElicitationResult } from "../wire.ts";

export function elicitationResult(asked: Elicitation, reply: CommandOf<"reply">): ElicitationResult {
  const { option, effect, answers } = reply;
  if (option === "cancel") return { action: "cancel" };
  if (isRejection(effect) || option === "decline" || option === "reject") return { action: "decline" };
  const fields = Object.entries(asked.requested_schema?.properties ?? {});
  const content = fields.flatMap(([name, field]) => {
    const given = ownValue(answers, name);
    return given && given.length > 0 ? [[name, typedAnswer(field, given)]] : [];
  });
  return { action: "accept", ...(fields.length > 0 && { content: Object.fromEntries(content) }) };
}

function typedAnswer({ type }: ElicitationField, given: readonly string[]): unknown {
  const [first = ""] = given;
  switch (type) {
    case "array":
      return given;
    case "number":
    case "integer":
      return Number(first);
    case "boolean":
      return first === "true";
    default:
      return first;
  }
}
