/** The code of the `notice` that says that a log became shorter than it was. Each one begins a new lineage. */
export const EVENTS_LOST = "events-lost";
