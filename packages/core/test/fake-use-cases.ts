import { Allowlist, createUseCases, UnavailableError, type Deadlines, type GateMonitor, type RecordKind } from '@vitrine/core';
import { NOW, StandingClock } from '@vitrine/core/testing';
import { type FakeReaders, context } from './fake-readers.js';

/** Keeps what it hears. */
class RecordingMonitor implements GateMonitor {
  readonly heard: RecordKind[] = [];

  refused(kind: RecordKind): void {
    this.heard.push(kind);
  }
}

/** Gives every call 30 ms, whatever it is granted. */
class ShortDeadlines implements Deadlines {
  run<Result>(_milliseconds: number, signal: AbortSignal, call: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new UnavailableError()), 30);
    });
    return Promise.race([call(signal), late]).finally(() => clearTimeout(timer));
  }
}

/** Every use case over some readers, and the monitor that hears of their mistakes. */
export function useCasesOver(readers: FakeReaders, clock = new StandingClock(NOW), deadlines: Deadlines = new ShortDeadlines()) {
  const monitor = new RecordingMonitor();
  return { clock, monitor, ...createUseCases(readers, { clock, gateMonitor: monitor, deadlines }) };
}

/** What a request carries that may see `acme/widget` alone. */
export const widgetOnly = { ...context, approved: Allowlist.of('Acme/Widget').approved() };

/** The first page of everything. */
export const firstPage = { limit: 20, after: null, from: null, to: null };
export const scopedPage = { ...firstPage, repository: null };
