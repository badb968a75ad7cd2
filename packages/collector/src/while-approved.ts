import type { ApprovedRepositories, RecordWriter, RepositoryRef } from '@vitrine/core';
import type { Registration } from './sync-records.js';
import type { RunReport, Source, SourceContext } from './source.js';
import { wrappedWriter } from './wrapped-writer.js';

/** The repository has left the allowlist. */
class NoLongerApproved extends Error {}

/** Runs a source only while its repository is approved. A run during which the repository leaves the allowlist ends before it stores anything more. */
export class WhileApproved implements Source {
  readonly id: string;
  readonly intervalMs: number;
  readonly isRemote: boolean | undefined;
  readonly registration: Registration | undefined;
  readonly nextRunAt: Source['nextRunAt'];
  readonly #source: Source;
  readonly #ref: RepositoryRef;
  readonly #approved: () => ApprovedRepositories;

  /** @param approved the allowlist of the moment */
  constructor(source: Source, ref: RepositoryRef, approved: () => ApprovedRepositories) {
    [this.id, this.intervalMs, this.isRemote, this.registration] = [source.id, source.intervalMs, source.isRemote, source.registration];
    this.nextRunAt = source.nextRunAt?.bind(source);
    [this.#source, this.#ref, this.#approved] = [source, ref, approved];
  }

  async run(context: SourceContext): Promise<RunReport> {
    try {
      this.#check();
      return await this.#source.run({ ...context, writer: this.#guarded(context.writer) });
    } catch (error) {
      if (error instanceof NoLongerApproved) return { stored: 0, unchanged: 0, removed: 0, warnings: [this.#warning] };
      throw error;
    }
  }

  /** The configuration says so too, but a server follows only the allowlist of a file that has problems elsewhere. */
  get #warning(): string {
    return `${this.id}: its repository is not approved any more, so nothing is collected. Approve the repository, or remove the source.`;
  }

  #check(): void {
    if (!this.#approved().admits(this.#ref)) throw new NoLongerApproved();
  }

  #guarded(writer: RecordWriter): RecordWriter {
    return {
      ...wrappedWriter(writer),
      put: async (records, context) => {
        this.#check();
        return writer.put(records, context);
      },
    };
  }
}
