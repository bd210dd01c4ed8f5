/** Why the server cannot listen, and what to do, in a sentence. */
import type { ServerConfig } from "../config.ts";

export function explainListenError(
  error: unknown,
  { host, port }: Pick<ServerConfig, "host" | "port">,
): unknown {
  const explain = (message: string) => new Error(message, { cause: error });
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return explain(
        `Port ${port} on ${host} is in use. Stop what uses it, or choose another with --port (0 picks one).`,
      );
    case "EACCES":
      return explain(`Port ${port} needs more rights than we have. Choose one above 1023 with --port.`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return explain(`${host} is no address of this machine. Choose another with --host.`);
    default:
      return error;
  }
}
