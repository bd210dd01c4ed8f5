/** This daemon cannot be a node, now or again: whoever runs it has to change something. The message says what. */
export class JoinRefusedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "JoinRefusedError";
  }
}
