import type { Instant, RefusedRecord, StoredRecord } from '@vitrine/core';
import { parseState, RegisteredSource } from '../../running/registered-source.js';
import type { RunReport, SourceContext } from '../../running/source.js';
import { hash } from 'node:crypto';
import { z } from 'zod';
import { fetchDocument, type FetchedDocument } from '../../fetching/fetch-document.js';
import type { OutgoingClient } from '../../fetching/outgoing-client.js';
import type { Registration } from '../../running/sync-records.js';

/** A call of the writer with more records would hold others up for longer. */
const BATCH = 1_000;
const REASONS = {
  'email-in-identifier': 'their ids or addresses contain an email address',
  'foreign-id': 'their ids name another repository',
  'frozen-day': 'their days are complete',
  'open-day': 'their days are not complete',
  'unknown-commit': 'no source has stored these commits',
} as const;

/** What {@link putInBatches} has done. */
interface PutTotals {
  readonly stored: number;
  readonly unchanged: number;
  /** One line for each reason for which the store has refused records. */
  readonly refused: readonly string[];
  readonly refusedRecords: readonly RefusedRecord[];
}

/** Stores records, and tells their number. @param filledAt the time that stands for "not known" in the records, as in `PutContext`; `null` if every time is known */
export async function putInBatches(records: readonly StoredRecord[], filledAt: Instant | null, context: SourceContext): Promise<PutTotals> {
  const refusedRecords: RefusedRecord[] = [];
  let [stored, unchanged] = [0, 0];
  for (let start = 0; start < records.length; start += BATCH) {
    const report = await context.writer.put(records.slice(start, start + BATCH), { signal: context.signal, ...(filledAt !== null && { filledAt }) });
    stored += report.stored;
    unchanged += report.unchanged;
    refusedRecords.push(...report.refused.map(({ index, reason }) => ({ index: start + index, reason })));
    context.progress(Math.min(records.length, start + BATCH), 'records', records.length);
  }
  return { stored, unchanged, refused: refusalLines(refusedRecords), refusedRecords };
}

/** One line for each reason. */
export function refusalLines(refused: readonly RefusedRecord[]): readonly string[] {
  const counts = new Map<RefusedRecord['reason'], number>();
  for (const { reason } of refused) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => `records that were left out, because ${REASONS[reason]}: ${String(count)}`);
}

/** What a parser makes of a document. */
export interface ParsedDocument {
  readonly records: readonly StoredRecord[];
  /** One line each: the part that was left out, and why. */
  readonly warnings: readonly string[];
  /** What the parser needs to know for the next version of the document. */
  readonly memory: DocumentMemory;
}

/** The part of a document that parsers read. */
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
    const { refused, ...counts } = await putInBatches(records, at, context);
    this.#warnings = [...warnings, ...refused];
    await this.complete(sync, { at, state: JSON.stringify({ settings: this.#settings, ...document.validators, memory }) }, context);
    return { ...counts, removed: 0, warnings: this.#warnings };
  }
}
