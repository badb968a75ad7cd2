import type { Instant, Sync } from '@vitrine/core';
import type { RunReport } from '../../running/source.js';
import { collectCommits, hasClosedGap } from './collect-commits.js';
import { collectReleases, shownTags } from './collect-releases.js';
import { type GitCollection, readState, shapeOf, NO_GAPS, tagMark, writeState, type Gaps, type SyncState } from './git-collection.js';
import { officialProvenance, publicBranch } from './public-text.js';

/**
 * Updates the store to match the refs. The sync record is written last, so that the next run completes an interrupted one. The
 * repository's record is written first, so that no commit is ever stored without it.
 */
export async function collectRefs(collection: GitCollection): Promise<RunReport> {
  const { context, refs, origin, source } = collection;
  const observedAt = context.clock.now();
  const sync = await source.syncIn(context);
  const state = await stateFor(collection, sync);
  const warnings = [...refs.warnings.map((warning) => `${source.id}: ${warning}`), ...shallowWarnings(collection)];
  if (state?.refs === refs.digest && state.shape === shapeOf(origin)) {
    await writeSync(collection, observedAt, sync, state);
    const all = [...warnings, ...gapWarnings(source.id, state.gaps), ...collection.tagWarnings.lines];
    return { stored: 0, unchanged: state.commits + state.releases, removed: 0, warnings: all };
  }
  await writeRepository(collection, observedAt, sync?.lastSuccessAt ?? null);
  const report = await collectRecords(collection, observedAt, { sync, state });
  return { ...report, warnings: [...warnings, ...report.warnings] };
}

async function stateFor(collection: GitCollection, sync: Sync | null): Promise<SyncState | null> {
  const last = sync?.repositoryRef === collection.origin.ref ? readState(sync.state) : null;
  // If git can read objects again that were missing, every record is created again.
  return last !== null && (await hasClosedGap(collection, last.gaps)) ? { ...last, shape: '' } : last;
}

async function collectRecords(
  collection: GitCollection,
  observedAt: Instant,
  { sync, state }: { readonly sync: Sync | null; readonly state: SyncState | null },
): Promise<RunReport> {
  const { refs, origin } = collection;
  const shape = shapeOf(origin);
  // Records with another shape must be created again.
  const known = state?.shape === shape ? state : null;
  const commits = await collectCommits(collection, { observedAt, formerEdge: new Set(known?.edge), isNew: state !== known });
  const gaps = addedGaps(known?.gaps ?? NO_GAPS, commits.gaps, commits.total);
  const tags = await shownTags(collection, commits.reached);
  const releases = await collectReleases(collection, { observedAt, tags, knownMarks: new Set(known?.tags) });
  collection.tagWarnings.lines = releases.warnings;
  const totals = { commits: commits.total, releases: releases.total };
  const digest = releases.isWhole ? refs.digest : '';
  await writeSync(collection, observedAt, sync, { shape, refs: digest, edge: [...refs.shallow], gaps, tags: tags.map(tagMark), ...totals });
  return {
    stored: commits.stored + releases.stored,
    unchanged: commits.unchanged + releases.unchanged,
    removed: commits.removed + releases.removed,
    warnings: [...gapWarnings(collection.source.id, gaps), ...releases.warnings],
  };
}

/** Gaps of commits that were removed still count, but never more than there are commits. */
function addedGaps(before: Gaps, { count, example }: Gaps, commits: number): Gaps {
  return { count: Math.min(before.count + count, commits), example: example ?? before.example };
}

/**
 * @param lastSyncedAt `null` if no run has completed yet. The stored time then remains, which is when the repository was first stored: failed attempts
 *   must not make it look newly synced.
 */
async function writeRepository({ context, refs, origin }: GitCollection, observedAt: Instant, lastSyncedAt: Instant | null): Promise<void> {
  const defaultBranch = refs.defaultBranch === null ? null : publicBranch(refs.defaultBranch);
  const provenance = officialProvenance(origin, { sourceUrl: origin.addresses.repository, observedAt, confidence: 'high' });
  const { fullName, owner, name } = origin.name;
  const repository = { kind: 'repository', repositoryRef: origin.ref, fullName, owner, name, defaultBranch, provenance } as const;
  if (lastSyncedAt === null) await context.writer.put([{ ...repository, lastSyncedAt: observedAt }], { ...context, filledAt: observedAt });
  else await context.writer.put([{ ...repository, lastSyncedAt }], context);
}

async function writeSync(collection: GitCollection, observedAt: Instant, before: Sync | null, state: SyncState): Promise<void> {
  const { context, source, startedAt } = collection;
  await writeRepository(collection, observedAt, startedAt);
  await source.complete(before, { at: startedAt, state: writeState(state) }, context);
}

function gapWarnings(id: string, { count }: Gaps): readonly string[] {
  if (count === 0) return [];
  const commits = count === 1 ? '1 commit has' : `${count} commits have`;
  return [`${id}: objects are missing, so ${commits} no count of changes; restore them, for example with git fetch --refetch --no-filter`];
}

function shallowWarnings({ source: { id }, refs: { shallow } }: GitCollection): readonly string[] {
  if (shallow.length === 0) return [];
  const commits = shallow.length === 1 ? '1 commit at its end has' : `${shallow.length} commits at its ends have`;
  return [`${id}: the clone is shallow: older history is missing, and ${commits} no count of changes; fetch it with --unshallow`];
}
