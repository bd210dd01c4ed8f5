/**
 * What a request has to pass before anything is done for it: host, origin, rate and token, in this order. Requests that
 * open a WebSocket pass the same checks.
 */
import type { IncomingMessage } from "node:http";
import { InterlinguaError } from "../../core/error.ts";
import type { Access } from "../../core/rights.ts";
import type { Callers } from "../access/callers.ts";
import type { ServerConfig } from "../config.ts";
import type { ServerLimits } from "../limits.ts";
import { tokenIn, unauthorized } from "./bearer-token.ts";
import { checkHost, isAllowedHost } from "./host-check.ts";
import { checkOrigin } from "./origin-check.ts";
import { RequestRates } from "./request-rates.ts";

export interface RequestCheckDependencies {
  config: Pick<ServerConfig, "corsOrigins">;
  callers: Callers;
  limits: ServerLimits;
  /** Known only once the server listens. */
  allowedHosts: () => ReadonlySet<string>;
  isClosing: () => boolean;
  onRefused: (code: "unauthorized" | "too_many_requests") => void;
}

/** Each check throws an `InterlinguaError`. */
export class RequestChecks {
  readonly #dependencies: RequestCheckDependencies;
  readonly #corsOrigins: ReadonlySet<string>;
  readonly #rates: RequestRates;

  constructor(dependencies: RequestCheckDependencies) {
    this.#dependencies = dependencies;
    this.#corsOrigins = new Set(dependencies.config.corsOrigins);
    this.#rates = new RequestRates(dependencies);
  }

  /** All of them. The token is that of the `Authorization` header unless it came in another way. */
  async checkRequest(incoming: IncomingMessage, token?: string): Promise<{ access: Access }> {
    this.checkOpen();
    this.checkSender(incoming);
    this.checkRate(incoming);
    return { access: await this.requireAccess(incoming, token) };
  }

  checkOpen(): void {
    if (!this.#dependencies.isClosing()) return;
    throw new InterlinguaError("shutting_down", "The daemon is shutting down. Try again in a moment.");
  }

  /** Returns the origin if it was configured, so that the answer may name it. */
  checkSender(incoming: IncomingMessage): string | undefined {
    checkHost(incoming.headers.host, this.#dependencies.allowedHosts());
    return this.checkOrigin(incoming);
  }

  /** Whether the request names a host that the daemon answers to. */
  namesOurHost({ headers }: IncomingMessage): boolean {
    return isAllowedHost(headers.host, this.#dependencies.allowedHosts());
  }

  /** Returns the origin if it was configured, so that the answer may name it. */
  checkOrigin({ headers }: IncomingMessage): string | undefined {
    const { host, origin } = headers;
    const site = headers["sec-fetch-site"];
    return checkOrigin(
      { host, origin, site: typeof site === "string" ? site : undefined },
      this.#corsOrigins,
    );
  }

  checkRate(incoming: IncomingMessage): void {
    this.#rates.countRequest(incoming);
  }

  /** Who holds the token. At once, unless it has to be looked for. */
  requireAccess(
    incoming: IncomingMessage,
    token = tokenIn(incoming.headers.authorization),
  ): Access | Promise<Access> {
    this.#rates.checkFailures(incoming, "Too many wrong tokens. Wait, then send the right one.");
    const { callers } = this.#dependencies;
    const access = callers.find(token);
    if (access) return access;
    if (!callers.lookUp) return this.#refuse(incoming);
    return callers.lookUp(token).then((found) => found ?? this.#refuse(incoming));
  }

  #refuse(incoming: IncomingMessage): never {
    this.#rates.countFailure(incoming, "Too many requests without the right token. Send the right one.");
    this.#dependencies.onRefused("unauthorized");
    throw unauthorized();
  }

  /** For requests that took a while: throws if their token was revoked or has expired since. */
  assertAccepted(access: Access): void {
    if (!this.#dependencies.callers.isAccepted(access)) throw unauthorized();
  }

  /** For a secret that is no token. A refusal with 404 counts as a wrong one, and too many of them are refused. */
  async guessing<Result>(incoming: IncomingMessage, guess: () => Promise<Result>): Promise<Result> {
    const detail = "Too many wrong codes. Wait, then send the right one.";
    this.#rates.checkFailures(incoming, detail);
    try {
      return await guess();
    } catch (error) {
      if (InterlinguaError.isInstance(error) && error.status === 404)
        this.#rates.countFailure(incoming, detail);
      throw error;
    }
  }
}
