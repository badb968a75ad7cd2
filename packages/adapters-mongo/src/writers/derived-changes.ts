import { isRepositoryRef, startOfDay, timeOf, type Commit, type Instant, type PlainRecord, type Release, type RepositoryRef } from '@vitrine/core';
import type { Document } from 'mongodb';
import type { TouchedDays } from '../activity/activity-writer.js';
import type { FactChange } from './fact-writer.js';
import type { PlainChange } from './plain-batch.js';

/** A new or changed record, or a removed one, whose two versions are the same. */
export type StoredChange = Pick<PlainChange, 'record' | 'stored'>;

/** What must be derived again for each repository. */
export function factChanges(changes: readonly StoredChange[]): ReadonlyMap<RepositoryRef, FactChange> {
  const byRef = new Map<RepositoryRef, { added: (Commit | Release)[]; isOther: boolean }>();
  for (const { record, stored } of changes) {
    if (record.kind !== 'commit' && record.kind !== 'release' && record.kind !== 'repository') continue;
    const known = byRef.get(record.repositoryRef) ?? { added: [], isOther: false };
    byRef.set(record.repositoryRef, known);
    if (stored === null && record.kind !== 'repository') known.added.push(record);
    else known.isOther = true;
  }
  return byRef;
}

/** The days of the old and the new version of each commit and release. */
export function touchedDays(changes: readonly StoredChange[]): TouchedDays {
  const touched = new Map<RepositoryRef, Set<Instant>>();
  for (const { record, stored } of changes) {
    if (record.kind !== 'commit' && record.kind !== 'release') continue;
    const days = touched.get(record.repositoryRef) ?? new Set();
    for (const version of [record, stored]) if (version?.kind === record.kind) days.add(startOfDay(timeOf(version)));
    touched.set(record.repositoryRef, days);
  }
  return touched;
}

/** The repositories of invalid documents, as far as these documents count. */
export function countedRefs(kind: PlainRecord['kind'], documents: readonly Document[]): ReadonlySet<RepositoryRef> {
  const refs = documents.map((document): unknown => document['repositoryRef']);
  return new Set(
    kind === 'commit' || kind === 'release' ? refs.filter((ref): ref is RepositoryRef => typeof ref === 'string' && isRepositoryRef(ref)) : [],
  );
}
