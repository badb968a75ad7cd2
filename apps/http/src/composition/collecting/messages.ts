import type { Config } from '@vitrine/config';

/** The first message to a collector. */
export interface Assignment {
  /** The configuration of the server, with the allowlist, the sources and the services of the moment. */
  readonly config: Config;
  /** The folder of the embedded store, which the server has created and migrated; `null` for a database. */
  readonly folder: string | null;
  /** The address that the server listens on, such as `http://127.0.0.1:3000`. */
  readonly origin: string;
  /** The name of the holder of the lease. All collectors of a server have the same, so that the next one continues the lease of one that died. */
  readonly holder: string;
  /** Whether it runs sources. If not, it only keeps search in line with the allowlist. */
  readonly collects: boolean;
}

/** What a server sends to its collector. No records. */
export type ToCollector = { readonly assignment: Assignment } | { readonly stop: true };

/** What a collector sends to its server. No records. */
export type FromCollector =
  /** The store is open. */
  | { readonly hasBegun: true }
  /** One or more lines for the log, each with its line end. */
  | { readonly log: string }
  /** A line for people. */
  | { readonly line: string }
  /** Whether the last write found a disk that can be written. */
  | { readonly isWritable: boolean };
