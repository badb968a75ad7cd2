import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '@vitrine/core';
import type { OutgoingClient, OutgoingRequest } from './outgoing-client.js';
import { OutgoingError, retryAfterMs } from './outgoing-response.js';

/** What a server says to recognize a version of a document by. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** A document that has changed since the validators were received. */
export interface FetchedDocument {
  readonly body: Uint8Array;
  /** The `Content-Type` header; `''` without one. */
  readonly contentType: string;
  /** The address that has answered, after redirects. */
  readonly url: string;
  readonly validators: Validators;
}

export interface FetchDocumentOptions extends OutgoingRequest {
  readonly clock: Clock;
  /** Those of the stored version; `null` fetches the document in any case. */
  readonly known: Validators | null;
}

/** Fetches a document unless it has not changed (`null`). Rejects with an {@link OutgoingError} unless the server answers 200 or, if asked for changes only, 304. */
export async function fetchDocument(client: OutgoingClient, { clock, known, ...request }: FetchDocumentOptions): Promise<FetchedDocument | null> {
  const conditions = conditionsOf(known);
  const { status, headers, body, url } = await client.request({ ...request, headers: { ...request.headers, ...conditions } });
  if (status === 304 && Object.keys(conditions).length > 0) return null;
  const waitMs = retryAfterMs(headers['retry-after'], clock.now());
  if (status !== 200) throw new OutgoingError(new URL(url), `http ${status}`, `responded with the status ${String(status)}`, waitMs);
  return { body, contentType: headers['content-type'] ?? '', url, validators: validatorsOf(headers) };
}

/** Servers limit the headers of a request, often to 8 KiB in all. One that sends longer validators would refuse each later request. */
const LONGEST_VALIDATOR = 1_000;

export function validatorsOf({ etag, 'last-modified': lastModified }: IncomingHttpHeaders): Validators {
  return { etag: bounded(etag), lastModified: bounded(lastModified) };
}

function bounded(text: string | undefined): string | null {
  return text !== undefined && text.length <= LONGEST_VALIDATOR ? text : null;
}

export function conditionsOf(known: Validators | null): Readonly<Record<string, string>> {
  const { etag, lastModified } = known ?? { etag: null, lastModified: null };
  return { ...(etag !== null && { 'if-none-match': etag }), ...(lastModified !== null && { 'if-modified-since': lastModified }) };
}

/** The value of a JSON document in UTF-8, as RFC 8259 requires; `undefined` if it is none. A replaced letter would be stored as text of the server. */
export function jsonIn(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}
