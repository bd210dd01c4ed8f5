/** Why there is no checkpoint or no restore, in a sentence for a person. */
export class WorkspaceError extends Error {
  override readonly name = "WorkspaceError";
}
