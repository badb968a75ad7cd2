import { NOW } from '@vitrine/core/testing';
import { serveModule, type Served } from './processes.js';

/** The store of a server, and the repositories that it shows. */
export type ServedStore = { readonly approved: readonly string[] } & (
  | { readonly store: 'sqlite'; readonly path: string }
  | { readonly store: 'mongo'; readonly uri: string; readonly database: string }
  | { readonly store: 'memory' }
);

/** Starts Vitrine in its own process, without kept answers. */
export const serveStore = (store: ServedStore): Promise<Served> => serveModule('store-server.js', [JSON.stringify(store), String(NOW)]);
