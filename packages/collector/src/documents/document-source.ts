import { createHash } from 'node:crypto';
import type { Instant, StoredRecord, Sync } from '@vitrine/core';
import { z } from 'zod';
import { fetchDocument, type FetchedDocument } from '../outgoing/fetch-document.js';
import type { OutgoingClient } from '../outgoing/outgoing-client.js';
import type { RunReport, Source, SourceContext } from '../source.js';
import { completedSync, type Registration } from '../sync-records.js';
import { putInBatches } from './put-in-batches.js';

/** What a parser makes of a document. */
export interface ParsedDocument {
  readonly records: readonly StoredRecord[];
  /** One line each: the part that was left out, and why. */
  readonly warnings: readonly string[];
  /** What the parser needs to know for the next version of the document. */
  readonly memory?: DocumentMemory;
}

export type DocumentMemory = Readonly<Record<string, string>>;

export interface DocumentSourceOptions {
  readonly client: OutgoingClient;
  readonly address: string;
  readonly allowPrivate: boolean;
  /** The media types that the parser reads, for the `Accept` header. */
  readonly accept: string;
  readonly intervalMs: number;
  readonly registration: Registration;
  /** Everything that the records depend on, apart from the document. If it changes, the document is fetched and parsed again. */
  readonly settings: unknown;
  /** Pure. Throws an error with a `code` if the document cannot be used. @param now for records whose times the document does not say @param memory that of the version before */
  readonly parse: (document: FetchedDocument, now: Instant, memory: DocumentMemory) => ParsedDocument;
}

const stateSchema = z.object({
  settings: z.string(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  /** Absent in states of earlier versions: the document is fetched again then. */
  memory: z.record(z.string(), z.string()).exactOptional(),
});
type State = z.output<typeof stateSchema>;

/** A source that fetches one document over HTTP if it has changed, and stores the records in it. Records that are no longer in the document stay. */
export class DocumentSource implements Source {
  readonly id: string;
  readonly intervalMs: number;
  readonly isRemote = true;
  readonly registration: Registration;
  readonly #options: DocumentSourceOptions;
  readonly #settings: string;
  /** Those of the document that was read last. */
  #warnings: readonly string[] = [];

  constructor(options: DocumentSourceOptions) {
    const { registration, intervalMs, address, settings } = options;
    this.id = `${registration.sourceType} ${registration.label}`;
    [this.intervalMs, this.registration, this.#options] = [intervalMs, registration, options];
    this.#settings = createHash('sha256')
      .update(JSON.stringify([address, settings]))
      .digest('base64url');
  }

  async run(context: SourceContext): Promise<RunReport> {
    const { client, address: url, allowPrivate, accept, parse } = this.#options;
    const { collection, clock, signal } = context;
    const startedAt = clock.now();
    const sync = await collection.sync(this.registration.id, context);
    const before = stateIn(sync);
    const document = await fetchDocument(client, { url, allowPrivate, signal, clock, known: this.#validatorsIn(before), headers: { accept } });
    if (document === null) {
      await this.#complete(context, sync, startedAt, sync?.state ?? null);
      return { stored: 0, unchanged: 0, removed: 0, warnings: [], standing: this.#warnings };
    }
    const { records, warnings, memory = {} } = parse(document, startedAt, before?.memory ?? {});
    const { refused, ...counts } = await putInBatches(records, startedAt, context);
    this.#warnings = [...warnings, ...refused];
    await this.#complete(context, sync, startedAt, JSON.stringify({ settings: this.#settings, ...document.validators, memory }));
    return { ...counts, removed: 0, warnings: this.#warnings };
  }

  #validatorsIn(state: State | null): State | null {
    return state?.settings === this.#settings && state.memory !== undefined ? state : null;
  }

  async #complete(context: SourceContext, before: Sync | null, at: Instant, state: string | null): Promise<void> {
    await context.writer.put([completedSync(this.registration, this.intervalMs, before, { at, state })], context);
  }
}

function stateIn(sync: Sync | null): State | null {
  const state = stateSchema.safeParse(jsonOf(sync?.state ?? null));
  return state.success ? state.data : null;
}

function jsonOf(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}
