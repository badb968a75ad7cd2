import { activityDaySchema, activityMarkSchema } from './activity/activity-documents.js';
import { VOUCHERS, type CollectionName } from './collections.js';
import type { BsonSchema } from './documents/codec.js';
import { DOCUMENTS, type DocumentSpec } from './documents/documents.js';
import { repositoryFacts } from './documents/repository-facts.js';
import { checkSchema, trailSchema } from './status/check-document.js';
import { daySchema, hoursSchema } from './status/day-document.js';

/** Which sources vouch for a record, and in what they contradict it. */
const VOUCHERS_SCHEMA: BsonSchema = {
  bsonType: 'array',
  items: {
    bsonType: 'object',
    required: ['source'],
    properties: { source: { bsonType: 'string' }, says: { bsonType: 'object' } },
  },
};

const records = Object.fromEntries(Object.values<DocumentSpec>(DOCUMENTS).map((spec) => [spec.collection, withVouchers(spec)]));

/** The shape of every stored document that readers use, by collection, as a JSON Schema in MongoDB's dialect. */
export const STORED_SCHEMAS: Readonly<Partial<Record<CollectionName, BsonSchema>>> = {
  ...records,
  repositories: withFacts(withVouchers(DOCUMENTS.repository)),
  activity_days: activityDaySchema,
  activity_marks: activityMarkSchema,
  status_checks: checkSchema,
  status_days: daySchema,
  status_hours: hoursSchema,
  status_trails: trailSchema,
};

/** Nobody vouches for sync records. */
function withVouchers({ kind, schema }: DocumentSpec): BsonSchema {
  return kind === 'sync' ? schema : { ...schema, properties: { ...propertiesOf(schema), [VOUCHERS]: VOUCHERS_SCHEMA } };
}

/** The facts of a repository are optional, because they are stored a moment after its record. */
function withFacts(schema: BsonSchema): BsonSchema {
  return { ...schema, properties: { ...propertiesOf(schema), ...propertiesOf(repositoryFacts.schema) } };
}

function propertiesOf({ properties }: BsonSchema): object {
  return properties as object;
}
