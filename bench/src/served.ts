import { NOW } from '@vitrine/core/testing';
import { startChild } from './child-process.js';

/** The list that is requested. */
export const LIST_PATH = '/api/v1/development/commits';

/** A server in its own process, as in production. */
export interface Served {
  readonly url: string;
  /** Requests a path and returns the body. Rejects if the status is not 200. */
  readonly get: (path: string) => Promise<unknown>;
  readonly pid: number;
  readonly stop: () => void;
}

/** The store of a server, and the repositories that it shows. */
export type ServedStore = { readonly approved: readonly string[] } & (
  | { readonly store: 'sqlite'; readonly path: string }
  | { readonly store: 'mongo'; readonly uri: string; readonly database: string }
  | { readonly store: 'memory'; readonly byHand: boolean }
);

/** Starts Vitrine on a free port. It keeps no answers. */
export function serve(store: ServedStore): Promise<Served> {
  return serveModule('vitrine-server.js', [JSON.stringify(store), String(NOW)]);
}

/** Starts a module of this folder that serves on a free port and sends the port. */
export async function serveModule(module: string, args: readonly string[]): Promise<Served> {
  const { message, pid, stop } = await startChild<{ readonly port: number }>(module, args);
  const url = `http://127.0.0.1:${String(message.port)}`;
  const get = async (path: string): Promise<unknown> => {
    const response = await fetch(`${url}${path}`);
    if (response.status !== 200) throw new Error(`${path}: ${String(response.status)} ${await response.text()}`);
    return response.json();
  };
  return { url, get, pid, stop };
}
