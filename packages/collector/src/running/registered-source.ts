import type { Sync } from '@vitrine/core';
import type { z } from 'zod';
import type { RunReport, Source, SourceContext } from './source.js';
import { completedSync, pendingSync, type Completion, type Registration } from './sync-records.js';

/** A source with a sync record, in which it remembers what its next run needs. */
export abstract class RegisteredSource implements Source {
  readonly id: string;
  readonly registration: Registration;
  readonly #intervalMs: number;

  /** @param id what people read in logs, such as `git acme/widget` */
  constructor(id: string, intervalMs: number, registration: Registration) {
    [this.id, this.#intervalMs, this.registration] = [id, intervalMs, registration];
  }

  get intervalMs(): number {
    return this.#intervalMs;
  }

  abstract run(context: SourceContext): Promise<RunReport>;

  syncIn({ collection, signal }: SourceContext): Promise<Sync | null> {
    return collection.sync(this.registration.id, { signal });
  }

  /** The sync record after a run that completed. @param before the stored one */
  protected completed(before: Sync | null, completion: Completion): Sync {
    return completedSync(this.registration, this.intervalMs, before, completion);
  }

  /** Writes that sync record. Call this last, so that the next run completes an interrupted one. */
  async complete(before: Sync | null, completion: Completion, { writer, signal }: SourceContext): Promise<void> {
    await writer.put([this.completed(before, completion)], { signal });
  }

  /** Writes a state before its records: a record that nobody remembers would stay for ever. @param before the stored sync record */
  async remember(before: Sync | null, state: string, { writer, signal }: SourceContext): Promise<void> {
    const { registration, intervalMs } = this;
    const record = before?.repositoryRef === registration.repositoryRef ? before : pendingSync(registration, intervalMs);
    await writer.put([{ ...record, state }], { signal });
  }
}

/** What the state of a sync record says; `null` if there is none, or if it does not fit. */
export function parseState<Schema extends z.ZodType>(schema: Schema, state: string | null | undefined): z.output<Schema> | null {
  try {
    return schema.parse(JSON.parse(state ?? ''));
  } catch {
    return null;
  }
}
