import { MAX_RESPONSE_TIME_MS, NO_REPOSITORY, SECOND, validityOf, type Check } from '@vitrine/core';
import { OutgoingError } from '../outgoing/outgoing-error.js';
import type { OutgoingClient } from '../outgoing/outgoing-client.js';
import { failedBy } from '../probes/http-probe.js';
import { measuredProvenance } from '../probes/measured-provenance.js';
import type { ProbeOutcome } from '../probes/probe-outcome.js';
import { StateChanges } from '../probes/state-changes.js';
import type { RunReport, Source, SourceContext } from '../source.js';
import { completedSync, type Registration } from '../sync-records.js';

export interface SelfCheckOptions {
  readonly serviceKey: string;
  readonly intervalMs: number;
  /** The public address of the health page, for the records. */
  readonly healthUrl: () => string;
  /** The address that is asked. */
  readonly target: () => string;
  readonly client: Pick<OutgoingClient, 'request'>;
}

const TIME_OUT = 5 * SECOND;

/** Asks this server for its own health over HTTP and stores the answer. A process that is gone stores nothing: the coverage then shows the gap. */
export class SelfCheckSource implements Source {
  readonly id: string;
  readonly intervalMs: number;
  readonly registration: Registration;
  readonly #options: SelfCheckOptions;
  readonly #changes = new StateChanges();

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
    const check = this.#check(rawState, checkedAt, Math.round(performance.now() - startedAt));
    const before = await context.collection.sync(this.registration.id, context);
    const sync = completedSync(this.registration, this.intervalMs, before, { at: checkedAt, state: null });
    const { refused } = await context.writer.put([check, sync], context);
    const warnings = refused.map(({ reason }) => `the store refused the check: ${reason}`);
    return { stored: 1 - refused.length, unchanged: 0, removed: 0, warnings, notices: this.#changes.noticesOf([check]) };
  }

  async #ask(signal: AbortSignal): Promise<ProbeOutcome['rawState']> {
    const { client, serviceKey, target } = this.#options;
    try {
      const { status } = await client.request({ url: target(), allowPrivate: true, redirects: 'none', timeoutMs: TIME_OUT, inTurn: false, signal });
      return `http ${status}`;
    } catch (error) {
      if (error instanceof OutgoingError) return failedBy(error, serviceKey).rawState;
      throw error;
    }
  }

  #check(rawState: ProbeOutcome['rawState'], checkedAt: number, elapsed: number): Check {
    const isUp = rawState === 'http 200';
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
