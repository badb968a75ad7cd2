import { ConfigError } from '@vitrine/config';
import type { RunReport, Source } from './source.js';

/** Called for each change of a configuration file, with the facts and a sentence. Must not throw. */
export type WatchLog = Readonly<Record<'info' | 'warn' | 'error', (facts: object, sentence: string) => void>>;

/** Problems of the file are logged as their message, other errors with the stack. */
export function factsOf(error: unknown): { readonly problem: string } | { readonly err: unknown } {
  return error instanceof ConfigError ? { problem: error.message } : { err: error };
}

/** Remembers the problems of each thing, such as a source, so that a problem that lasts is logged when it begins, when it changes and when it ends. */
export class RepeatedProblems {
  readonly #problems = new Map<string, ReadonlySet<string>>();

  /** What is new about the problems of a thing. `isOver`: there were problems, and are none now. @param problems all of the moment; none when all is well */
  now(thing: string, problems: readonly string[]) {
    const before = this.#problems.get(thing) ?? new Set();
    const current = new Set(problems);
    if (current.size === 0) this.#problems.delete(thing);
    else this.#problems.set(thing, current);
    const begun = [...current].filter((problem) => !before.has(problem));
    const ended = [...before].filter((problem) => !current.has(problem));
    return { begun, ended, isOver: before.size > 0 && current.size === 0 };
  }
}

type NamedSource = Pick<Source, 'id' | 'registration'>;

const CHECKING: readonly (string | undefined)[] = ['probe', 'heartbeat', 'statuspage'];

/** Tells what is new about the runs of sources that repeat: a failure when it begins, when it changes and when it ends; a warning when it begins and when it ends. */
export class RunNews {
  readonly #seen = new Set<string>();
  readonly #failures = new RepeatedProblems();
  readonly #warnings = new RepeatedProblems();

  /** `isFirst`: the source has not run in this process before. `isRecovered`: its last run failed. `begun`, `ended`: its warnings. */
  completed(source: NamedSource, { stored, removed, warnings }: RunReport) {
    const key = keyOf(source);
    const isRecovered = this.#failures.now(key, []).isOver;
    // Each run of a source of checks stores records, so these would hide all other news.
    const isChange = stored + removed > 0 && !CHECKING.includes(source.registration?.sourceType);
    const { begun, ended } = this.#warnings.now(key, warnings);
    return { isFirst: this.#isFirst(key), isRecovered, isChange, begun, ended };
  }

  /** @param problem why the run failed. `isNew`: the run before did not fail, or for another reason */
  failed(source: NamedSource, problem: string) {
    const key = keyOf(source);
    return { isFirst: this.#isFirst(key), isNew: this.#failures.now(key, [problem]).begun.length > 0 };
  }

  #isFirst(key: string): boolean {
    const isFirst = !this.#seen.has(key);
    this.#seen.add(key);
    return isFirst;
  }
}

/** Two lists of owners of one name, on two servers, have the same id in logs. */
function keyOf({ id, registration }: NamedSource): string {
  return registration?.id ?? id;
}
