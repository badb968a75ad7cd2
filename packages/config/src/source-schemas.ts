import { nearest } from '@vitrine/core';
import { z } from 'zod';
import type { SourceFile } from './source-file.js';
import { parsed } from './validation/problems.js';

/** The schema of each kind of source, by the key that names its origin, in the order in which messages list the keys. */
export type SourceKinds = Readonly<Record<string, z.ZodType<SourceFile>>>;

/** The keys that name a repository of a forge. */
export const FORGE_KEYS = ['github', 'gitea', 'forgejo', 'gitlab'] as const;

/** The kind of a source is the key that it has or most likely means. So its problems are reported for one kind only. */
export function sourceOf(kinds: SourceKinds) {
  return z.unknown().transform((value, context): SourceFile => {
    const schema = kinds[sourceKind(value, Object.keys(kinds)) ?? ''];
    if (schema !== undefined) return parsed(schema, value, context);
    context.issues.push({
      code: 'custom',
      message: `does not say where its records come from; write one of the keys ${Object.keys(kinds).join(', ')}`,
      input: value,
    });
    return z.NEVER;
  });
}

/** A value that is not an object counts as a git source. `null`: an object without a key that means a kind. */
function sourceKind(value: unknown, names: readonly string[]): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'git';
  // A forge source may have the key git too.
  const exact = [...FORGE_KEYS, ...names].find((name) => Object.hasOwn(value, name));
  if (exact !== undefined) return exact;
  // The key forge belongs to git sources; forgejo is not meant.
  const meant = Object.keys(value).flatMap((key) => (key === 'forge' ? [] : nearest(key, names)));
  return names.findLast((kind) => meant.includes(kind)) ?? null;
}
