import { flag, leftOut, ifKnown, part, text, time, type Field, type WithFields } from './fields.js';

const fields = {
  /** Label of the origin. */
  source: text('label', 'Label of the origin of the record.', 'GitHub'),
  /** `official-source`, `confirmed-from-source`, `community-feed`, `service-interpretation`; other values may be added. */
  sourceKind: text('word', 'What kind of origin it is; `service-interpretation` is a record derived by the service itself.', 'official-source', [
    'official-source',
    'confirmed-from-source',
    'community-feed',
    'service-interpretation',
  ]),
  /** Public URL of the origin. */
  sourceUrl: text('url', 'Public URL of the origin.', 'https://github.com/acme/widget'),
  /** When the origin was observed. */
  observedAt: leftOut('now', time('When the origin was observed.', '2026-11-20T13:58:02.114Z')),
  /** When the origin published it, if known. */
  publishedAt: ifKnown(time('When the origin published it; left out when unknown.', '2026-11-20T13:41:52.000Z')),
  /** `high`, `medium`, `low`, `unknown`; other values may be added. */
  confidence: text('word', 'How far the record may be trusted.', 'high', ['high', 'medium', 'low', 'unknown']),
  isOfficialSource: flag('Whether the origin is official.', true),
};

/** Where a record comes from, and how reliable it is. */
export interface Provenance extends WithFields<typeof fields> {}

const WHAT = 'source, sourceKind, sourceUrl, confidence and isOfficialSource';
const MEANS = 'Where the record comes from.';

/** The provenance of a record. */
export const origin: Field<Provenance> = part(WHAT, fields, MEANS, 'Provenance');
/** The same if the source is part of the identity of the record. */
export const namedOrigin: Field<Provenance> = part(
  WHAT,
  { ...fields, source: text('partId', 'Label of the origin of the record.', 'GitHub') },
  MEANS,
  'Provenance',
);
