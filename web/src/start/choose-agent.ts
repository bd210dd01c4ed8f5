/** Chooses the agent of the next session from anywhere on the page, and leads to where it is started. */
import { go } from "../route.ts";
import { keepChoices } from "./kept-choices.ts";

/** The event by which the start view is told. */
export const START_EVENT = "interlingua-start";

export const START_FIELD = "start-prompt";

export function chooseAgent(name: string): void {
  keepChoices({ agent: name });
  dispatchEvent(new CustomEvent(START_EVENT, { detail: name }));
  openStart();
}

/** Shows the start view, with the focus in its field. */
export function openStart(): void {
  go({ view: "start" });
  document.getElementById(START_FIELD)?.focus();
}
