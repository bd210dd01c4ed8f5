/**
 * The port to what daemons that share a store tell each other besides the events of sessions: who watches, that tokens have
 * changed. A daemon that is alone has nobody to tell, and none of this. Nothing is certain to arrive: what must not be missed is
 * in the store, too.
 */

/** News of another node. `value` is undefined when what it had set is over, also because the node is gone. */
export type NewsListener = (news: { node: number; key: string; value: unknown }) => void;

export interface PeerNews {
  /**
   * What holds for this node under a key, until it is set to undefined. Others get it at once, and those that connect later
   * get all of it.
   */
  set(topic: string, key: string, value: unknown): void;
  /** Told once, to those that are connected, under an empty key. */
  tell(topic: string, value: unknown): void;
  /** Calls it with what holds already, too. Returns a function that unsubscribes. */
  listen(topic: string, listener: NewsListener): () => void;
}
