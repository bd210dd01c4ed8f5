/** Tokens for others, besides that of the daemon. */
import type { HttpClient } from "./http.ts";
import type { CreatedToken, CreateToken, Token } from "./types.ts";

export class Tokens {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Makes a token with a role. `token` of the answer is shown this once.
   *
   * @example
   * const { token } = await client.tokens.create({ name: "anna", role: "observer", sessions: ["demo"] });
   */
  create(body: CreateToken): Promise<CreatedToken> {
    return this.#http.call("POST /v1/tokens", { body });
  }

  /** Those there are, without what is secret. */
  async list(): Promise<Token[]> {
    return (await this.#http.call("GET /v1/tokens", {})).tokens;
  }

  /** Ends a token by its id, and every stream that was opened with it. */
  async revoke(token: string): Promise<void> {
    await this.#http.call("DELETE /v1/tokens/{token}", { params: { token } });
  }
}
