/** The mock keeps the state of our own wire. */
export { INITIAL_STATE, type OwnState as MockState } from "../own-wire/conversation-state.ts";
