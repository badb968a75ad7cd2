import { z } from 'zod';
import { object, problemsOf, type Problem } from '@vitrine/config/internal';
import { provenanceDefaults } from './record-fields.js';

/** Values from the first line of a records file, for fields that other lines leave out. */
export interface LineDefaults {
  readonly provenance: object;
}

export const DEFAULTS_KIND = 'defaults';

const schema = object('the defaults of a file', { kind: z.literal(DEFAULTS_KIND), provenance: provenanceDefaults });

/** Decodes `{"kind": "defaults", "provenance": {…}}`. */
export function readDefaults(value: object): LineDefaults | readonly Problem[] {
  const result = schema.safeParse(value);
  if (!result.success) return problemsOf(result.error.issues, value);
  const provenance: unknown = Reflect.get(value, 'provenance');
  return { provenance: isObject(provenance) ? provenance : {} };
}

/** Adds the defaults for the fields that the provenance of a line leaves out. */
export function withDefaults(value: object, { provenance }: LineDefaults): object {
  const own: unknown = Reflect.get(value, 'provenance');
  if (own === undefined) return { ...value, provenance };
  return isObject(own) ? { ...value, provenance: { ...provenance, ...own } } : value;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
