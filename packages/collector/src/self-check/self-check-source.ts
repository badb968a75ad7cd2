import { MAX_RESPONSE_TIME_MS, NO_REPOSITORY, SECOND, validityOf, type Check } from '@vitrine/core';
import { measuredProvenance } from '../probes/measured-provenance.js';
import type { RunReport, Source, SourceContext } from '../source.js';
import { completedSync, type Registration } from '../sync-records.js';

export interface SelfCheckOptions {
  readonly serviceKey: string;
  readonly intervalMs: number;
  /** The public address of the health page, for the records. */
  readonly healthUrl: () => string;
  /** The address that is asked. */
  readonly target: () => string;
  /** The platform's own by default. */
  readonly fetch?: (url: string, init: { readonly signal: AbortSignal; readonly redirect: 'manual' }) => Promise<Response>;
}

const TIME_OUT = 5 * SECOND;

/** Asks this server for its own health over HTTP and stores the answer. A process that is gone stores nothing: the coverage then shows the gap. */
export class SelfCheckSource implements Source {
  readonly id: string;
  readonly intervalMs: number;
  readonly registration: Registration;
  readonly #options: SelfCheckOptions;

  constructor(options: SelfCheckOptions) {
    this.id = `self-check ${options.serviceKey}`;
    this.intervalMs = options.intervalMs;
    const { serviceKey } = options;
    this.registration = { id: `probe:${serviceKey}`, sourceType: 'probe', label: serviceKey, repositoryRef: NO_REPOSITORY, feeds: ['check'] };
    this.#options = options;
  }

  async run(context: SourceContext): Promise<RunReport> {
    const checkedAt = context.clock.now();
    const startedAt = performance.now();
    const rawState = await this.#ask(context.signal);
    // An answer that a stop cut off says nothing about the service.
    context.signal.throwIfAborted();
    const check = this.#check(rawState, checkedAt, Math.round(performance.now() - startedAt));
    const before = await context.collection.sync(this.registration.id, context);
    const sync = completedSync(this.registration, this.intervalMs, before, { at: checkedAt, state: null });
    const { refused } = await context.writer.put([check, sync], context);
    return { stored: 1 - refused.length, unchanged: 0, removed: 0, warnings: refused.map(({ reason }) => `the store refused the check: ${reason}`) };
  }

  /** The status code as text, or why there is none. */
  async #ask(signal: AbortSignal): Promise<string> {
    const ask = this.#options.fetch ?? fetch;
    try {
      const response = await ask(this.#options.target(), { signal: AbortSignal.any([signal, AbortSignal.timeout(TIME_OUT)]), redirect: 'manual' });
      await response.body?.cancel();
      return String(response.status);
    } catch (error) {
      return codeOf(error);
    }
  }

  #check(rawState: string, checkedAt: number, elapsed: number): Check {
    const isUp = rawState === '200';
    return {
      kind: 'check',
      serviceKey: this.#options.serviceKey,
      state: isUp ? 'operational' : 'outage',
      rawState,
      checkedAt,
      responseTimeMs: isUp ? Math.min(elapsed, MAX_RESPONSE_TIME_MS) : null,
      validForMs: validityOf(this.intervalMs),
      provenance: measuredProvenance(this.#options.healthUrl(), checkedAt),
    };
  }
}

/** `ECONNREFUSED` and the like stand in the cause of what fetch throws; a time-out has only a name. */
function codeOf(error: unknown): string {
  const word = partOf(partOf(error, 'cause'), 'code') ?? partOf(error, 'name');
  return typeof word === 'string' ? word : 'error';
}

function partOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
