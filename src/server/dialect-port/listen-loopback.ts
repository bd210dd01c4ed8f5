/** Listens at both loopback addresses of this machine under one port, and at no other address. */
import { type HttpListener, type ListenOptions, listen } from "../listen/http-listener.ts";

/** Codes of a machine without IPv6. */
const NO_ADDRESS = new Set(["EADDRNOTAVAIL", "EAFNOSUPPORT", "EINVAL", "EPROTONOSUPPORT"]);
/** How often another port is picked if the one that is free at one address is in use at the other. */
const MAX_PICKS = 20;

/**
 * Clients say `localhost`, which is either address: both are ours, or we do not listen. Rejects as `listen` does. On a
 * machine without IPv6 there is one.
 */
export async function listenLoopback(options: Omit<ListenOptions, "host">): Promise<HttpListener> {
  for (let pick = 1; ; pick++) {
    const first = await listen({ ...options, host: "127.0.0.1" });
    try {
      const second = await listen({ ...options, host: "::1", port: first.port });
      return {
        port: first.port,
        close: async (endStreams) => {
          await Promise.all([first.close(endStreams), second.close(endStreams)]);
        },
      };
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "";
      if (NO_ADDRESS.has(code)) return first;
      await first.close(() => {});
      if (options.port !== 0 || code !== "EADDRINUSE" || pick === MAX_PICKS) throw error;
    }
  }
}
