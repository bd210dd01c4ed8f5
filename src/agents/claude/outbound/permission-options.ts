/** What a person may choose when Claude Code asks for a permission, and how it is put to them. */
import type { AskOption } from "../../../core/ask.ts";
import type { CanUseTool, PermissionSuggestion } from "../wire.ts";
import { toolTitle } from "./tool-display.ts";

export function permissionTitle({ tool_name: name, display_name: shown = name, input }: CanUseTool): string {
  const title = toolTitle(name, input);
  if (title === undefined) {
    const server = /^mcp__(.+?)__/.exec(name)?.[1];
    return server === undefined ? shown : `${server}: ${shown}`;
  }
  return title.startsWith(`${shown} `) ? title : `${shown}: ${title}`;
}

/** Each suggestion is a choice of its own: taking all of them would allow more than was asked for. */
export function permissionOptions(request: CanUseTool): AskOption[] {
  const { permission_suggestions: suggestions = [], suppress_always_allow_rule: noRules } = request;
  return [
    { id: "allow", label: "Allow", effect: "once" },
    ...suggestions.flatMap((suggestion, index) =>
      noRules && suggestion.type === "addRules"
        ? []
        : (suggestedOption(suggestion, suggestionId(index)) ?? []),
    ),
    { id: "deny", label: "Deny", effect: "reject" },
    { id: "deny-stop", label: "Deny and stop", effect: "reject", stops: true },
  ];
}

const SWITCH_TO = "Switch to ";

/** The permission mode that an option switches to; undefined for all other options. */
export function modeOfOption({ label }: AskOption): string | undefined {
  return label.startsWith(SWITCH_TO) ? label.slice(SWITCH_TO.length) : undefined;
}

export function suggestionId(index: number): string {
  return `suggestion-${index}`;
}

function suggestedOption(suggestion: PermissionSuggestion, id: string): AskOption | undefined {
  const storedIn =
    suggestion.destination === "localSettings" ? ".claude/settings.local.json" : suggestion.destination;
  const always = { id, effect: "always" as const, storedIn };
  switch (suggestion.type) {
    case "addRules":
      if (suggestion.behavior !== "allow") return undefined;
      return { ...always, label: "Always allow", covers: suggestion.rules.map(ruleText) };
    case "addDirectories":
      return { ...always, label: "Allow these directories", covers: [...suggestion.directories] };
    case "setMode":
      return { ...always, label: `${SWITCH_TO}${suggestion.mode}`, covers: [suggestion.mode] };
    default:
      return undefined;
  }
}

function ruleText({ toolName, ruleContent }: { toolName: string; ruleContent?: string }): string {
  return ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`;
}
