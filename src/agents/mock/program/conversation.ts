/** What the mock remembers of a conversation, in one small file, so that a later process can take it up. */
import { randomUUID } from "node:crypto";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WireConfiguration } from "../wire.ts";
import { readText } from "./read-text.ts";

const SHORTEST_SECRET = 6;

interface Memory {
  prompts: { id: string; text: string }[];
  /** Tools a person has allowed for good. */
  allowedTools: string[];
  configuration?: WireConfiguration;
}

export class Conversation {
  readonly id: string;
  readonly #path: string;
  readonly #secrets: readonly { name: string; value: string }[];
  readonly #memory: Memory;

  private constructor(id: string, path: string, memory: Memory, secretNames: readonly string[]) {
    this.id = id;
    this.#path = path;
    this.#memory = memory;
    this.#secrets = secretNames
      .map((name) => ({ name, value: process.env[name] ?? "" }))
      // Shorter ones are words, not secrets. The longest first: one may contain another.
      .filter(({ value }) => value.length >= SHORTEST_SECRET)
      .sort((one, other) => other.value.length - one.value.length);
  }

  static begin(directory: string, secretNames: readonly string[]): Conversation {
    const id = `mock-${randomUUID()}`;
    const memory = { prompts: [], allowedTools: [] };
    const conversation = new Conversation(id, join(directory, `${id}.json`), memory, secretNames);
    conversation.#save();
    return conversation;
  }

  /** Undefined when there is no such conversation. */
  static find(directory: string, id: string, secretNames: readonly string[]): Conversation | undefined {
    if (!/^[\w-]+$/.test(id)) return undefined;
    const path = join(directory, `${id}.json`);
    try {
      return new Conversation(id, path, JSON.parse(readText(path)), secretNames);
    } catch {
      return undefined;
    }
  }

  get prompts(): readonly { id: string; text: string }[] {
    return this.#memory.prompts;
  }

  get configuration(): WireConfiguration | undefined {
    return this.#memory.configuration;
  }

  addPrompt(id: string, text: string): void {
    this.#memory.prompts.push({ id, text: this.#withoutSecrets(text) });
    this.#save();
  }

  /** Forgets the prompt and all after it. False when it never was there. */
  forgetFrom(id: string): boolean {
    const place = this.#memory.prompts.findIndex((prompt) => prompt.id === id);
    if (place < 0) return false;
    this.#memory.prompts.length = place;
    this.#save();
    return true;
  }

  isAllowed(tool: string): boolean {
    return this.#memory.allowedTools.includes(tool);
  }

  allow(tool: string): void {
    if (this.isAllowed(tool)) return;
    this.#memory.allowedTools.push(tool);
    this.#save();
  }

  configure(configuration: WireConfiguration): void {
    this.#memory.configuration = configuration;
    this.#save();
  }

  /** The file lies beside the log, and what a session was given in confidence is kept out of both. */
  #withoutSecrets(text: string): string {
    return this.#secrets.reduce(
      (clean, { name, value }) => clean.replaceAll(value, `[secret ${name}]`),
      text,
    );
  }

  /** Whole or not at all: the process may be killed at any moment. */
  #save(): void {
    const draft = `${this.#path}.new`;
    writeFileSync(draft, JSON.stringify(this.#memory), { mode: 0o600 });
    renameSync(draft, this.#path);
  }
}
