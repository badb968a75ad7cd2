import { SECOND } from '../../kinds/instant.js';
import type { ListedRecord } from '../../kinds/kinds.js';
import { publishableRecord } from '../../rules/publishable-record.js';
import { NOW } from '../builders.js';
import { assertSame } from '../contract.js';
import { type Listing, everyPage, fixedRecord, positionsOf, visible } from './listing.js';
import { readAlone } from './read-alone.js';

const TEXT = 'Written by ada@example.org';
const URL = 'https://news.example/by/ada@example.org';

/**
 * Records as a database holds them that another program fills: one in three has an email address in its texts, one in three has one in an address, so it
 * must not be shown at all. A writer may remove the addresses as well, so a whole store passes by either.
 */
function foreignRecords({ spec }: Listing): readonly ListedRecord[] {
  return Array.from({ length: 9 }, (_, serial) => {
    const record = fixedRecord(spec, 'acme/widget', NOW - serial * SECOND, serial);
    if (serial % 3 === 0) return { ...record, ...addressesIn(record), provenance: { ...record.provenance, source: TEXT } };
    return serial % 3 === 1 ? { ...record, provenance: { ...record.provenance, sourceUrl: URL } } : record;
  });
}

/** The free texts of a record, each with an email address. */
function addressesIn(record: ListedRecord): object {
  const texts = ['title', 'name', 'summary', 'description', 'body', 'authorName'].filter((name) => typeof Reflect.get(record, name) === 'string');
  return Object.fromEntries(texts.map((name) => [name, TEXT]));
}

function publishable(records: readonly ListedRecord[]): readonly ListedRecord[] {
  return records.flatMap((record) => {
    const published = publishableRecord(record);
    return typeof published === 'string' ? [] : [published];
  });
}

/** A list has no email address, and its pages are full without the records that must not be shown. */
export async function listedWithoutEmails(listing: Listing): Promise<void> {
  const records = foreignRecords(listing);
  await listing.store.fill(records);
  const expected = visible(listing.spec, publishable(records));
  for (const limit of [2, 100]) {
    const found = (await everyPage(listing, {}, () => limit)).flat();
    assertSame(positionsOf(found), positionsOf(expected), `the records that may be published, on pages of ${String(limit)}`);
    assertSame(found, expected, `records without email addresses, on pages of ${String(limit)} (see publishableRecord)`);
  }
}

/** The same for each record, read alone. */
export async function readWithoutEmails(listing: Listing): Promise<void> {
  const records = foreignRecords(listing);
  await listing.store.fill(records);
  for (const record of records) {
    const [expected = null] = publishable([record]);
    const what = expected === null ? 'a record whose address contains an email address' : 'a record without email addresses';
    assertSame(await readAlone(listing.store, record), expected, `${what}, read alone (see publishableRecord)`);
  }
}
