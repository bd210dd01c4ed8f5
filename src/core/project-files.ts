/** The port to the files of a session's directory that the engine shows parts of. */

export interface ProjectFiles {
  /**
   * Reads a text file inside a directory. Undefined where there is none. Rejects with a sentence for a file that is
   * elsewhere, no regular file, too large or no text, and for a disk that does not answer. May take long: callers have
   * their own limit.
   */
  readText(path: string, directory: string): Promise<string | undefined>;
}
