import { ConfigError } from '@vitrine/config';

/** Called for each change of a configuration file, with the facts and a sentence. Must not throw. */
export interface WatchLog {
  readonly info: (facts: object, sentence: string) => void;
  readonly warn: (facts: object, sentence: string) => void;
  readonly error: (facts: object, sentence: string) => void;
}

/** Problems of the file are logged as their message, other errors with the stack. */
export function factsOf(error: unknown): { readonly problem: string } | { readonly err: unknown } {
  return error instanceof ConfigError ? { problem: error.message } : { err: error };
}
