import { describeRun, RepeatedProblems, type RunReport, type Source, type WatchLog } from '@vitrine/collector';
import type { CommandContext } from './command-context.js';
import { messageOf } from './message-of.js';

/** Each run of such a source stores checks, so its lines would hide all others. */
const CHECKING: readonly (string | undefined)[] = ['probe', 'heartbeat', 'statuspage'];

type Output = Pick<CommandContext, 'print' | 'warn' | 'progress'>;

/**
 * Prints the runs of sources that repeat: the first run of each, and later those that stored or removed records. A failure is printed when it begins, changes and ends,
 * and a warning when it begins.
 */
export class RunLines {
  readonly #output: Output;
  readonly #failures = new RepeatedProblems();
  readonly #warnings = new RepeatedProblems();
  readonly #seen = new Set<string>();

  constructor(output: Output) {
    this.#output = output;
  }

  collected({ id, registration }: Pick<Source, 'id' | 'registration'>, report: RunReport): void {
    const { print, warn, progress } = this.#output;
    progress.end(id);
    const isRepeated = this.#seen.has(id);
    this.#seen.add(id);
    const { begun } = this.#warnings.now(id, [...report.warnings, ...(report.standing ?? [])]);
    for (const warning of begun) warn(warning);
    for (const notice of noticesOf(report)) print(`${id}: ${notice}`);
    const isOver = this.#failures.now(id, []).isOver;
    if (isOver || !isRepeated || isNews(registration, report)) print(`${id}: ${isOver ? 'collected again, ' : ''}${describeRun(report)}`);
  }

  failed({ id }: Pick<Source, 'id'>, error: unknown): void {
    const { warn, progress } = this.#output;
    progress.end(id);
    this.#seen.add(id);
    for (const problem of this.#failures.now(id, [messageOf(error)]).begun) warn(`${id}: ${problem}`);
  }
}

function noticesOf({ notices = [] }: RunReport): readonly string[] {
  return notices;
}

function isNews(registration: Source['registration'], { stored, removed }: RunReport): boolean {
  return stored + removed > 0 && !CHECKING.includes(registration?.sourceType);
}

/** Prints what changes about the configuration file. */
export function watchLog({ print, warn }: Pick<CommandContext, 'print' | 'warn'>): WatchLog {
  return {
    info: (facts, sentence) => {
      print(`${sentence}${shown(facts)}`);
    },
    warn: (facts, sentence) => {
      warn(`${sentence}${shown(facts)}`);
    },
    error: (facts, sentence) => {
      warn(`${sentence}${shown(facts)}`);
    },
  };
}

/** Facts are short: numbers, names of keys, or sentences about the file. */
function shown(facts: object): string {
  const texts = Object.entries(facts).flatMap(([name, value]: [string, unknown]) => {
    if (Array.isArray(value)) return value.map(String).join(', ');
    return typeof value === 'number' ? `${name}: ${String(value)}` : messageOf(value);
  });
  return texts.length === 0 ? '' : ` (${texts.join(', ')})`;
}
