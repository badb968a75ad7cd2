import type { Exchange } from './exchange.js';

/** Decoded path parameters, by name. */
export type PathValues = Readonly<Record<string, string>>;

/** A route with its handler. */
export interface Endpoint {
  /** The path template, with `{name}` for each parameter. */
  readonly path: string;
  /** The last parameter of the path, if its value may contain slashes: `a/b` as well as `a%2Fb`. */
  readonly spanning: string | null;
  /** Whether the path parameters have a valid form. If not, no record can match them. */
  readonly isWellFormed: (params: PathValues) => boolean;
  /** Handles GET and HEAD. */
  readonly answer: (exchange: Exchange, params: PathValues) => Promise<void> | void;
}
