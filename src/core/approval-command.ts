/** The code of the notice that a slash command was given which can change what the agent asks about. */
export const APPROVAL_COMMAND = "approval";
