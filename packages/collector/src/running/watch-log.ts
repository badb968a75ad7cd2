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

/** What is new about the problems of one thing. */
interface ProblemChange {
  /** Problems that have begun, also in place of others. */
  readonly begun: readonly string[];
  readonly ended: readonly string[];
  /** Whether there were problems, and are none now. */
  readonly isOver: boolean;
}

/** Remembers the problems of each thing, such as a source, so that a problem that lasts is logged when it begins, when it changes and when it ends. */
export class RepeatedProblems {
  readonly #problems = new Map<string, ReadonlySet<string>>();

  /** @param problems all of the moment; none when all is well */
  now(thing: string, problems: readonly string[]): ProblemChange {
    const before = this.#problems.get(thing) ?? new Set();
    const current = new Set(problems);
    if (current.size === 0) this.#problems.delete(thing);
    else this.#problems.set(thing, current);
    const begun = [...current].filter((problem) => !before.has(problem));
    const ended = [...before].filter((problem) => !current.has(problem));
    return { begun, ended, isOver: before.size > 0 && current.size === 0 };
  }
}
