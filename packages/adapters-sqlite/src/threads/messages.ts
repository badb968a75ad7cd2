/** What a store sends to its thread. */
export type ToThread =
  | { readonly call: number; readonly name: string; readonly request: unknown }
  /** The caller has gone. */
  | { readonly abort: number }
  /** Finish the calls that have arrived, close the file, and end. */
  | { readonly end: true };

/** What a thread sends to its store. */
export type FromThread =
  | { readonly call: number; readonly result: unknown }
  | { readonly call: number; readonly error: SentError }
  /** Something that no call asked for; sent in order with the results. */
  | { readonly event: StoreEvent };

/** A stored record that a thread could not use. */
export interface StoreEvent {
  readonly kind: string;
  readonly id: string;
  readonly reason: string;
}

/** An error as a message: structured clones lose the class. */
export interface SentError {
  readonly type: string;
  readonly message: string;
  /** Further constructor arguments of known classes. */
  readonly details: readonly (string | null)[];
}
