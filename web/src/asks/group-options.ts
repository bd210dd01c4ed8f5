/** The options of a permission by what a person means with them. Pure. */
import type { AskOption } from "../api/types.ts";

export interface GroupedOptions {
  /** Yes, this time. */
  allow?: AskOption;
  /** Further ways to say yes once, and what is neither yes nor no. */
  others: readonly AskOption[];
  always: readonly AskOption[];
  /** No, and the agent goes on. */
  deny?: AskOption;
  /** Further ways to say no: for good, or with the end of the turn. */
  denials: readonly AskOption[];
}

export function groupOptions(options: readonly AskOption[]): GroupedOptions {
  const allow = options.find(({ effect }) => effect === "once");
  const rejections = options.filter(({ effect }) => effect === "reject" || effect === "reject-always");
  const deny =
    rejections.find(({ effect, stops }) => effect === "reject" && !stops) ??
    rejections.find(({ effect }) => effect === "reject") ??
    rejections[0];
  return {
    allow,
    others: options.filter(
      (option) => option !== allow && (option.effect === "once" || option.effect === "other"),
    ),
    always: options.filter(({ effect }) => effect === "always"),
    deny,
    denials: rejections.filter((option) => option !== deny),
  };
}

const YES = /^(?:yes|ok|allow|approve|accept|proceed)(?:,? (?:once|proceed|allow(?: once)?))?$/i;
const NO = /^(?:no|deny|decline|reject|cancel)(?: once)?$/i;

/** Longer labels are read in the menu or as a tooltip. */
const MAX_LABEL_LENGTH = 26;

/** The same word for the same thing, whatever the agent calls it, as long as it means no more than that. */
export function shortLabel({ label }: AskOption, word: "Allow" | "Deny"): string {
  if ((word === "Allow" ? YES : NO).test(label.trim())) return word;
  return label.length <= MAX_LABEL_LENGTH ? label : word;
}
