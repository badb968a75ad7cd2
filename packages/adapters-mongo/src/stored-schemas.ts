import { activityDaySchema, activityMarkSchema } from './activity/activity-documents.js';
import type { CollectionName } from './collections.js';
import type { BsonSchema } from './documents/codec.js';
import { STORED_KINDS, type PlainDocumentSpec } from './documents/documents.js';
import { repositoryFacts } from './documents/repository-document.js';
import { VOUCHERS, VOUCHERS_SCHEMA } from './documents/voucher-index.js';
import { checkSchema } from './status/check-document.js';
import { daySchema, hoursSchema } from './status/day-document.js';
import { trailSchema } from './status/trail-document.js';

const records = Object.fromEntries(Object.values(STORED_KINDS).map(({ collection, spec }) => [collection, withVouchers(spec)]));

/** The shape of every stored document that readers use, by collection, as a JSON Schema in MongoDB's dialect. */
export const STORED_SCHEMAS: Readonly<Partial<Record<CollectionName, BsonSchema>>> = {
  ...records,
  repositories: withFacts(withVouchers(STORED_KINDS.repository.spec)),
  activity_days: activityDaySchema,
  activity_marks: activityMarkSchema,
  status_checks: checkSchema,
  status_days: daySchema,
  status_hours: hoursSchema,
  status_trails: trailSchema,
};

/** Nobody vouches for sync records. */
function withVouchers({ kind, schema }: PlainDocumentSpec): BsonSchema {
  return kind === 'sync' ? schema : { ...schema, properties: { ...propertiesOf(schema), [VOUCHERS]: VOUCHERS_SCHEMA } };
}

/** The facts of a repository are optional, because they are stored a moment after its record. */
function withFacts(schema: BsonSchema): BsonSchema {
  return { ...schema, properties: { ...propertiesOf(schema), ...propertiesOf(repositoryFacts.schema) } };
}

function propertiesOf({ properties }: BsonSchema): object {
  return properties as object;
}
