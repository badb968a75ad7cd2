import { releaseIdKey, type Instant } from '@vitrine/core';
import type { GitCollection } from './git-collection.js';
import type { GitRef } from './git-refs.js';
import { RecordBatches } from './record-batches.js';
import { releaseIdOf, releaseOf } from './release-record.js';
import { tagMark } from './sync-state.js';
import { readTags } from './tag-log.js';

export interface ReleasesReport {
  readonly stored: number;
  readonly unchanged: number;
  readonly removed: number;
  /** The number of all releases. */
  readonly total: number;
  readonly warnings: readonly string[];
  /** Whether no tag has changed since the refs were read. If one has, the next run reads the tags again. */
  readonly isWhole: boolean;
}

export interface ReleasesOptions {
  readonly observedAt: Instant;
  /** The tags whose releases are shown. */
  readonly tags: readonly GitRef[];
  /** The {@link tagMark} of each tag whose release the last run stored in its current form. */
  readonly knownMarks: ReadonlySet<string>;
}

const SHOWN_WARNINGS = 20;

/** Stores the releases of new and moved tags, and removes those whose tag was deleted. */
export async function collectReleases(collection: GitCollection, options: ReleasesOptions): Promise<ReleasesReport> {
  const { context, origin } = collection;
  const { tags } = options;
  const stored = await context.collection.releaseIds(origin.ref, context);
  const storedKeys = new Set([...stored].map(releaseIdKey));
  const keyOf = (name: string): string => releaseIdKey(releaseIdOf(origin, name));
  const isKnown = (tag: GitRef): boolean => options.knownMarks.has(tagMark(tag)) && storedKeys.has(keyOf(tag.name));
  const wanted = new Map(tags.flatMap((tag) => (isKnown(tag) ? [] : [[tag.name, tag.sha]])));
  const kept = new Set(tags.filter(({ name }) => !wanted.has(name)).map(({ name }) => keyOf(name)));
  const known = kept.size;
  const { warnings, written, names, seen } = await storeReleases(collection, options.observedAt, wanted);
  for (const name of names) kept.add(keyOf(name));
  const gone = [...stored].filter((id) => !kept.has(releaseIdKey(id))).map((id) => ({ kind: 'release', repositoryRef: origin.ref, id }) as const);
  const removed = gone.length === 0 ? 0 : await context.writer.remove(gone, context);
  return {
    stored: written.stored,
    unchanged: known + written.unchanged,
    removed,
    total: kept.size,
    warnings: shortened(warnings),
    isWhole: seen === wanted.size,
  };
}

async function storeReleases({ context, git, origin }: GitCollection, observedAt: Instant, wanted: ReadonlyMap<string, string>) {
  const batches = new RecordBatches(context.writer, context);
  const warnings: string[] = [];
  const names: string[] = [];
  let seen = 0;
  if (wanted.size > 0) {
    for await (const tag of readTags(git)) {
      // A tag that was moved after the refs were read may now point at a commit that is not public.
      if (wanted.get(tag.name) !== tag.sha) continue;
      seen += 1;
      const meaning = releaseOf(tag, observedAt, origin);
      if ('warning' in meaning) warnings.push(meaning.warning);
      else {
        await batches.add(meaning.release);
        names.push(tag.name);
      }
    }
  }
  return { warnings, names, seen, written: await batches.finish() };
}

function shortened(warnings: readonly string[]): readonly string[] {
  if (warnings.length <= SHOWN_WARNINGS) return warnings;
  return [...warnings.slice(0, SHOWN_WARNINGS), `and ${warnings.length - SHOWN_WARNINGS} more tags were left out`];
}
