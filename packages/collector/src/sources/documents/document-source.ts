import type { Instant, StoredRecord } from '@vitrine/core';
import { putInBatches } from '../../running/record-batches.js';
import { parseState, RegisteredSource } from '../../running/registered-source.js';
import type { Registration, RunReport, SourceContext } from '../../running/source.js';
import { hash } from 'node:crypto';
import { z } from 'zod';
import { fetchDocument, type FetchedDocument } from '../../fetching/fetch-document.js';
import type { OutgoingClient } from '../../fetching/outgoing-client.js';

export interface ParsedDocument {
  readonly records: readonly StoredRecord[];
  /** One line each: the part that was left out, and why. */
  readonly warnings: readonly string[];
  /** What the parser needs to know for the next version of the document. */
  readonly memory: DocumentMemory;
}

export type FeedDocument = Pick<FetchedDocument, 'body' | 'contentType'>;

export type DocumentMemory = Readonly<Record<string, string>>;

interface DocumentSourceOptions {
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
  memory: z.record(z.string(), z.string()),
});

const UNREAD: z.output<typeof stateSchema> = { settings: '', etag: null, lastModified: null, memory: {} };

/** A source that fetches one document over HTTP if it has changed, and stores the records in it. Records that are no longer in the document stay. */
export class DocumentSource extends RegisteredSource {
  readonly isRemote = true;
  readonly #options: DocumentSourceOptions;
  readonly #settings: string;
  /** Those of the document that was read last. */
  #warnings: readonly string[] = [];

  constructor(options: DocumentSourceOptions) {
    const { registration, intervalMs, address, settings } = options;
    super(`${registration.sourceType} ${registration.label}`, intervalMs, registration);
    this.#options = options;
    this.#settings = hash('sha256', JSON.stringify([address, settings]), 'base64url');
  }

  async run(context: SourceContext): Promise<RunReport> {
    const { client, address: url, allowPrivate, accept, parse } = this.#options;
    const { clock, signal } = context;
    const at = clock.now();
    const sync = await this.syncIn(context);
    const before = parseState(stateSchema, sync?.state) ?? UNREAD;
    const known = before.settings === this.#settings ? before : null;
    const document = await fetchDocument(client, { url, allowPrivate, signal, clock, known, headers: { accept } });
    if (document === null) {
      await this.complete(sync, { at, state: sync?.state ?? null }, context);
      return { stored: 0, unchanged: 0, removed: 0, warnings: this.#warnings };
    }
    const { records, warnings, memory } = parse(document, at, before.memory);
    const { refused, stored, unchanged } = await putInBatches(records, at, context);
    this.#warnings = [...warnings, ...refused];
    await this.complete(sync, { at, state: JSON.stringify({ settings: this.#settings, ...document.validators, memory }) }, context);
    return { stored, unchanged, removed: 0, warnings: this.#warnings };
  }
}
