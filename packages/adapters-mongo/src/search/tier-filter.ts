import { LATEST_INSTANT, SEARCH_TYPES, type Instant, type SearchPosition, type SearchQuery, type SearchType } from '@vitrine/core';
import type { Filter } from 'mongodb';
import type { StoredDocument } from '../documents/document-spec.js';
import { MAX_MERGED_SCANS } from '../lists/list-plan.js';
import { marksFor, marksOf, type KeyMark } from './entry-keys.js';
import type { SearchTerm } from './search-term.js';

type EntryFilter = Filter<StoredDocument>;

export type Tier = SearchPosition['tier'];

/** Which entries belong to a tier: those under one of the keys that meet the conditions. */
export interface TierFilter {
  readonly keys: readonly string[];
  readonly conditions: EntryFilter;
  /** About how many entries stand under the keys and meet the conditions; `null` when nothing tells. */
  readonly size: number | null;
}

type Question = Pick<SearchQuery, 'types' | 'to'>;

export function tierFilter(tier: Tier, terms: readonly SearchTerm[], question: Question): TierFilter {
  return tier === 0 ? titleTier(terms, question) : otherTier(terms, question);
}

/** Tier 0 holds every word in its title fields. The rarest word leads: its entries are walked, and the others tested on each. */
function titleTier(terms: readonly SearchTerm[], question: Question): TierFilter {
  const titles = marksFor(question.types, ['title']);
  const lead = leadOf(terms, titles);
  return { keys: lead.scans(titles), conditions: conditions(tested(terms, lead, titles), null, question), size: sizeOf(terms, titles) };
}

/** Tier 1 holds every word somewhere, and not all of them in its title fields. */
function otherTier(terms: readonly SearchTerm[], question: Question): TierFilter {
  const [titles, others] = [marksFor(question.types, ['title']), marksFor(question.types, ['other'])];
  // A single word that is not in the title stands elsewhere; of several words any but one may be in the title.
  const marks = terms.length === 1 ? others : [...titles, ...others];
  const lead = leadOf(terms, marks);
  const inTitle = { $and: terms.map((term) => term.condition(titles)) };
  return { keys: lead.scans(marks), conditions: conditions(tested(terms, lead, marks), inTitle, question), size: sizeOf(terms, marks) };
}

/** How often words stand together is not counted. */
function sizeOf(terms: readonly SearchTerm[], marks: readonly KeyMark[]): number | null {
  const [only, ...others] = terms;
  return only === undefined || others.length > 0 ? null : only.size(marks);
}

/** Only a word that can be merged in order may lead; one that stands by itself always can. */
function leadOf(terms: readonly SearchTerm[], marks: readonly KeyMark[]): SearchTerm {
  const able = terms.length === 1 ? terms : terms.filter((term) => term.scans(marks).length <= MAX_MERGED_SCANS);
  const [first, ...others] = able;
  if (first === undefined) throw new RangeError('a query has at least one word');
  const sizeOfScans = (term: SearchTerm) => (term.hasTail ? Infinity : term.size(marks));
  return others.reduce((rarest, term) => (sizeOfScans(term) < sizeOfScans(rarest) ? term : rarest), first);
}

function tested(terms: readonly SearchTerm[], lead: SearchTerm, marks: readonly KeyMark[]): readonly EntryFilter[] {
  return terms.filter((term) => term !== lead || !term.isExact).map((term) => term.condition(marks));
}

/** Written as "none of these is lacking", because a plain condition on keys could lead the walk instead of the chosen word. */
function conditions(held: readonly EntryFilter[], excluded: EntryFilter | null, { types, to }: Question): EntryFilter {
  const lacking = held.map((condition) => ({ $nor: [condition] }));
  return { $nor: [...lacking, ...(excluded === null ? [] : [excluded]), datedAhead(to)], ...restrictedTo(types) };
}

/** Repositories and services are dated beyond every record, and always found. */
function datedAhead(to: Instant): EntryFilter {
  return { time: { $gt: new Date(to), $lte: new Date(LATEST_INSTANT) } };
}

/** Commits have keys of their own; other types are told apart entry by entry. */
function restrictedTo(types: readonly SearchType[]): EntryFilter {
  const isMarked = types.length === SEARCH_TYPES.length || types.every((type) => marksOf(type) === marksOf('commit'));
  return isMarked ? {} : { type: { $in: [...types] } };
}
