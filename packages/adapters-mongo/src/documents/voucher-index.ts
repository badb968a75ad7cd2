import type { BsonSchema } from './codec.js';

/** The field of a record's document that names the sources that vouch for it. A document without it has none. */
export const VOUCHERS = 'vouchers';
/** The index that finds all records of a source. */
export const VOUCHER_INDEX = { key: { [`${VOUCHERS}.source`]: 1 }, sparse: true } as const;

export const VOUCHERS_SCHEMA: BsonSchema = {
  bsonType: 'array',
  items: {
    bsonType: 'object',
    required: ['source'],
    properties: { source: { bsonType: 'string' }, says: { bsonType: 'object' } },
  },
};
