import { flag, leftOut, optional, part, text, time, type ValueOf } from './fields.js';

const fields = {
  source: text('label', 'Label of the origin of the record.', 'GitHub'),
  sourceKind: text('word', 'What kind of origin it is; `service-interpretation` is a record derived by the service itself.', 'official-source', [
    'official-source',
    'confirmed-from-source',
    'community-feed',
    'service-interpretation',
  ]),
  sourceUrl: text('url', 'Public URL of the origin.', 'https://github.com/acme/widget'),
  observedAt: leftOut('now', time('When the origin was observed.', '2026-11-20T13:58:02.114Z')),
  publishedAt: optional(time('When the origin published it; left out when unknown.', '2026-11-20T13:41:52.000Z')),
  confidence: text('word', 'How far the record may be trusted.', 'high', ['high', 'medium', 'low', 'unknown']),
  isOfficialSource: flag('Whether the origin is official.', true),
};

const WHAT = 'source, sourceKind, sourceUrl, confidence and isOfficialSource';
const MEANS = 'Where the record comes from.';

/** The provenance of a record. */
export const origin = part(WHAT, fields, MEANS, 'Provenance');
/** The same if the source is part of the identity of the record. */
export const namedOrigin = part(WHAT, { ...fields, source: text('partId', 'Label of the origin of the record.', 'GitHub') }, MEANS, 'Provenance');

/** Where a record comes from, and how reliable it is. */
export type Provenance = ValueOf<typeof origin>;
