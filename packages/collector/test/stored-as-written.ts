import { publishableRecord, type RepositoryRef, type StoredRecord } from '@vitrine/core';
import { decodeLine } from '../src/sources/records/decode-line.js';
import { encodeLine } from '../src/sources/records/encode-line.js';

/**
 * Expects that a record is one that may be stored: the rules of records files accept it, no text holds half a character, and nothing has to be cut out of it. The store refuses some records, which is a warning.
 */
export function expectStorable(record: StoredRecord, now: number): void {
  const published = publishableRecord(record);
  if (typeof published === 'string') return;
  const text = encodeLine(record);
  expect(decodeLine(text, { now, refOf: (name) => name.fullName.toLowerCase() as RepositoryRef })).toMatchObject({
    type: 'record',
    record: { kind: record.kind },
  });
  expect(published).toEqual(record);
  // JSON writes half a character as an escape.
  expect(text).not.toMatch(/\\ud[89a-f]/i);
}
