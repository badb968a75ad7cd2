import { LATEST_INSTANT } from '@vitrine/core';
import type { Collection, Document } from 'mongodb';
import type { StoredDocument } from '../documents/document-spec.js';

const SAMPLE_SIZE = 4_000;
/** Counts are taken anew when there are so many times the entries. */
const GROWTH = 4;
const CHECKED_EVERY = 1_000;
/** While a store grows, a word that fewer entries of the sample hold keeps the count it has, at first none: it is rare, and so are most words. */
const MIN_IN_SAMPLE = 3;
/** Not a word: no word begins with a space. */
export const SAMPLE_ID = ' sample';
/** The entries of the sample by which it is told how thick they come: these shares of all are newer. */
const [NEWEST_SHARE, RECENT_SHARE] = [1 / 256, 1 / 16];

/**
 * About how many entries hold each word, as a sample of the entries tells. They only say which word of a query is the rarest, and how
 * far back a page is likely to reach, so they may be old and wrong: what is found stays the same.
 */
export class WordCounts {
  readonly #entries: Collection<StoredDocument>;
  readonly #words: Collection<StoredDocument>;
  #written = 0;

  constructor(entries: Collection<StoredDocument>, words: Collection<StoredDocument>) {
    this.#entries = entries;
    this.#words = words;
  }

  /** To be told of new entries; takes the counts when the store has grown so much that the old ones may mislead. */
  async grew(count: number): Promise<void> {
    this.#written += count;
    if (this.#written < CHECKED_EVERY) return;
    this.#written = 0;
    const [total, sample] = await Promise.all([this.#entries.estimatedDocumentCount(), this.#words.findOne({ _id: SAMPLE_ID })]);
    const counted = sample?.['entries'];
    if (total >= GROWTH * (typeof counted === 'number' ? counted : 0)) await this.take(MIN_IN_SAMPLE);
  }

  /** @param minInSample how many entries of the sample have to hold a word for it to be counted anew */
  async take(minInSample = 1): Promise<void> {
    const total = await this.#entries.estimatedDocumentCount();
    const each = Math.max(1, total / SAMPLE_SIZE);
    await this.#entries
      .aggregate([...countedWords(each, minInSample), { $merge: { into: this.#words.collectionName, whenNotMatched: 'discard' } }])
      .toArray();
    await this.#words.replaceOne({ _id: SAMPLE_ID }, { entries: total, ...(await this.#newest(total)) }, { upsert: true });
  }

  /** Since when there are hardly newer entries, and how many milliseconds pass from one to the next before. Those dated ahead do not count. */
  async #newest(total: number): Promise<{ readonly newest?: Date; readonly pace?: number }> {
    const dated = { $match: { time: { $lte: new Date(LATEST_INSTANT) } } };
    const sample = this.#entries.aggregate<{ time: unknown }>([{ $sample: { size: SAMPLE_SIZE } }, dated, { $project: { _id: 0, time: 1 } }]);
    const times = (await sample.toArray()).flatMap(({ time }) => (time instanceof Date ? [time.getTime()] : [])).sort((a, b) => b - a);
    const [newest, recent] = [NEWEST_SHARE, RECENT_SHARE].map((share) => times[Math.floor(share * times.length)]);
    if (newest === undefined || recent === undefined) return {};
    return { newest: new Date(newest), pace: (newest - recent) / ((RECENT_SHARE - NEWEST_SHARE) * total) };
  }
}

/** @param each how many entries one of the sample stands for */
function countedWords(each: number, minInSample: number): Document[] {
  const isTitle = { $in: [{ $substrCP: ['$_id', 0, 1] }, ['C', 'R']] };
  const counted = { $multiply: ['$count', each] };
  return [
    { $sample: { size: SAMPLE_SIZE } },
    { $project: { keys: 1 } },
    { $unwind: '$keys' },
    { $group: { _id: '$keys', count: { $sum: 1 } } },
    { $match: { count: { $gte: minInSample } } },
    {
      $group: {
        _id: { $substrCP: ['$_id', 1, { $strLenCP: '$_id' }] },
        title: { $sum: { $cond: [isTitle, counted, 0] } },
        other: { $sum: { $cond: [isTitle, 0, counted] } },
      },
    },
  ];
}
