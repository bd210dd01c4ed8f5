/** What nodes tell each other besides the events of sessions: PeerNews by way of the streams between them. */
import type { NewsListener, PeerNews } from "../../core/peer-news.ts";
import { encodeFrame, type PeerFrame } from "./peer-frame.ts";

export interface ClusterNewsOptions {
  /** To all peers. */
  tell(frame: Buffer): void;
  onFault(error: unknown): void;
  /** How long what a node had set holds after it was last heard. */
  graceMs?: number;
}

const DEFAULT_GRACE_MS = 3000;

/** What one node may have set. */
const MAX_KEYS = 20_000;

interface Setting {
  topic: string;
  key: string;
  value: unknown;
}

/** By topic and key. */
type Settings = Map<string, Setting>;

interface Peer {
  settings: Settings;
  /** What holds of before, until it is told again or is known to be over. */
  former: Settings;
  grace?: NodeJS.Timeout;
}

export class ClusterNews implements PeerNews {
  readonly #options: ClusterNewsOptions;
  readonly #own = new Map<string, Buffer>();
  readonly #peers = new Map<number, Peer>();
  readonly #listeners = new Map<string, Set<NewsListener>>();

  constructor(options: ClusterNewsOptions) {
    this.#options = options;
  }

  set(topic: string, key: string, value: unknown): void {
    const id = idOf(topic, key);
    const frame = encodeFrame("set", [topic], JSON.stringify({ key, value }));
    if (value === undefined) this.#own.delete(id);
    else if (this.#own.size < MAX_KEYS || this.#own.has(id)) this.#own.set(id, frame);
    else return;
    this.#options.tell(frame);
  }

  tell(topic: string, value: unknown): void {
    this.#options.tell(encodeFrame("tell", [topic], JSON.stringify({ key: "", value })));
  }

  listen(topic: string, listener: NewsListener): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    for (const [node, { settings, former }] of this.#peers)
      for (const setting of new Map([...former, ...settings]).values())
        if (setting.topic === topic) this.#call(listener, node, setting);
    return () => listeners.delete(listener);
  }

  /** For a node that connects: all that this one has set. */
  greeting(): Iterable<Buffer> {
    return this.#own.values();
  }

  up(node: number): void {
    const known = this.#peers.get(node);
    clearTimeout(known?.grace);
    const former = known ? new Map([...known.former, ...known.settings]) : new Map<string, Setting>();
    this.#peers.set(node, { settings: new Map(), former });
  }

  down(node: number): void {
    const peer = this.#peers.get(node);
    if (!peer) return;
    clearTimeout(peer.grace);
    peer.grace = setTimeout(() => this.gone(node), this.#options.graceMs ?? DEFAULT_GRACE_MS).unref();
  }

  gone(node: number): void {
    const peer = this.#peers.get(node);
    if (!peer) return;
    clearTimeout(peer.grace);
    this.#peers.delete(node);
    for (const setting of new Map([...peer.former, ...peer.settings]).values()) this.#end(node, setting);
  }

  take(node: number, { kind, words, body }: PeerFrame): void {
    const peer = this.#peers.get(node);
    if (!peer) return;
    const [topic = ""] = words;
    if (kind === "ready") return this.#ready(node, peer);
    const { key, value } = JSON.parse(body.toString()) as { key: string; value?: unknown };
    const setting = { topic, key, value };
    if (kind === "set") this.#keep(peer, setting);
    this.#tellAll(node, setting);
  }

  close(): void {
    for (const { grace } of this.#peers.values()) clearTimeout(grace);
    this.#listeners.clear();
  }

  #keep({ settings, former }: Peer, setting: Setting): void {
    const id = idOf(setting.topic, setting.key);
    former.delete(id);
    if (setting.value === undefined) settings.delete(id);
    else if (settings.size < MAX_KEYS) settings.set(id, setting);
  }

  /** What was not told again is over. */
  #ready(node: number, peer: Peer): void {
    const over = [...peer.former.values()];
    peer.former.clear();
    for (const setting of over) this.#end(node, setting);
  }

  #end(node: number, { topic, key }: Setting): void {
    this.#tellAll(node, { topic, key, value: undefined });
  }

  #tellAll(node: number, setting: Setting): void {
    for (const listener of [...(this.#listeners.get(setting.topic) ?? [])])
      this.#call(listener, node, setting);
  }

  #call(listener: NewsListener, node: number, { key, value }: Setting): void {
    try {
      listener({ node, key, value });
    } catch (error) {
      this.#options.onFault(error);
    }
  }
}

function idOf(topic: string, key: string): string {
  return `${topic}\n${key}`;
}
