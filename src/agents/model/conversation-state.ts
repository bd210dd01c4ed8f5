/** The model agent keeps the state of our own wire. */
export { INITIAL_STATE, type OwnState as ModelState } from "../own-wire/conversation-state.ts";
