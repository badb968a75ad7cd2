import type { Exchange } from './exchange.js';

/** Decoded path parameters, by name. */
export type PathValues = Readonly<Record<string, string>>;

/** One mounted route. */
export interface Endpoint {
  /** Template with `{name}` for each parameter. */
  readonly path: string;
  /** The last parameter of the path, when its value may hold slashes: `a/b` as well as `a%2Fb`. */
  readonly spanning: string | null;
  /** Whether values of the path parameters can name anything at all. */
  readonly isWellFormed: (params: PathValues) => boolean;
  /** Answers GET and HEAD. */
  readonly answer: (exchange: Exchange, params: PathValues) => Promise<void> | void;
}
