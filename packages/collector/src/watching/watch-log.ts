import { ConfigError } from '@vitrine/config';

/** Hears what changes about a configuration file, with the facts and a sentence. Must not throw. */
export interface WatchLog {
  readonly info: (facts: object, sentence: string) => void;
  readonly warn: (facts: object, sentence: string) => void;
  readonly error: (facts: object, sentence: string) => void;
}

/** A problem of the file needs its sentence alone. Everything else needs its trace. */
export function factsOf(error: unknown): { readonly problem: string } | { readonly err: unknown } {
  return error instanceof ConfigError ? { problem: error.message } : { err: error };
}
