/** Requests over kept connections, the same for every gateway. */
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

export class HttpClient {
  readonly url: string;
  readonly token: string | undefined;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(url: string, token?: string) {
    this.url = url;
    this.token = token;
  }

  async get(path: string): Promise<unknown> {
    return JSON.parse(await this.text(path));
  }

  text(path: string): Promise<string> {
    return this.#call("GET", path);
  }

  async post(path: string, body: object): Promise<unknown> {
    const text = await this.#call("POST", path, body);
    return text === "" ? undefined : JSON.parse(text);
  }

  async send(path: string, body: object): Promise<void> {
    await this.#call("POST", path, body);
  }

  async untilAnswers(path: string): Promise<void> {
    for (;;) {
      try {
        await this.text(path);
        return;
      } catch {
        await sleep(2);
      }
    }
  }

  #call(method: string, path: string, body?: object): Promise<string> {
    const headers = {
      ...(body && { "content-type": "application/json" }),
      ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
    };
    return new Promise((resolve, reject) => {
      const call = request(`${this.url}${path}`, { method, headers, agent: this.#agent }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (piece: string) => {
          text += piece;
        });
        response.on("end", () => {
          if ((response.statusCode ?? 500) >= 400) return reject(new Error(`${method} ${path}: ${text}`));
          resolve(text);
        });
      });
      call.on("error", reject);
      call.end(body && JSON.stringify(body));
    });
  }
}
