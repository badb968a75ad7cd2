import { object, privateLeaf, problemsOf, Refusal, type Problem } from '@vitrine/config/internal';
import {
  isRepositoryRef,
  isSha,
  NO_REPOSITORY,
  parseDate,
  parseDateTime,
  parseRepositoryName,
  type RecordIdentity,
  type RecordKind,
  type RepositoryRef,
  type ScopeRef,
} from '@vitrine/core';
import { z } from 'zod';
import { mayBeScoped, optionalScopeOfLine, type LineContext } from './line-reader.js';
import { opaque } from './record-fields.js';

const schema = object('a deletion', {
  kind: opaque,
  id: privateLeaf('the id of the record', (value) =>
    typeof value === 'string' && value !== '' && value.length <= 1_000 ? value : new Refusal('is no id'),
  ),
  ...mayBeScoped,
  deleted: z.literal(true, { error: 'is not true; write true, or leave it out' }),
});

/** What each kind's id looks like where it is not the record's own `id`. */
const FORMS: Partial<Record<RecordKind, string>> = {
  repository: 'owner/name',
  commit: 'owner/name@sha',
  release: 'owner/name@tag',
  check: 'serviceKey@checkedAt@source',
  'status-day': 'serviceKey@date',
  finding: 'the id, and repository beside it',
  build: 'the id, and repository beside it',
};

interface Deletion {
  readonly id: string;
  /** The scope that `repository` names; `-` when the line names none. */
  readonly scope: ScopeRef;
  /** The ref of a name inside the id. */
  readonly refOf: (fullName: string) => RepositoryRef | null;
}

/** Reads `{"kind", "id", "deleted": true}`: what is to be deleted, or what is wrong with the line. */
export function readDeletion(value: object, kind: RecordKind, context: LineContext): RecordIdentity | readonly Problem[] {
  const result = schema.safeParse(value);
  if (!result.success) return problemsOf(result.error.issues, value);
  const { id, repository, repositoryRef } = result.data;
  const named = parseRepositoryName(id.split('@', 1)[0] ?? '');
  const scope = optionalScopeOfLine(repository ?? (repositoryRef === undefined ? null : named), repositoryRef, context);
  if (typeof scope !== 'string') return scope;
  const refOf = (fullName: string): RepositoryRef | null => {
    if (repositoryRef !== undefined) return repositoryRef;
    const name = parseRepositoryName(fullName);
    return name === null ? null : context.refOf(name);
  };
  return identityOf(kind, { id, scope, refOf }) ?? [{ path: ['id'], message: `names no ${kind}; write ${FORMS[kind] ?? 'its id'}` }];
}

function identityOf(kind: RecordKind, { id, scope, refOf }: Deletion): RecordIdentity | null {
  switch (kind) {
    case 'repository':
      return ofRef(refOf(id), (repositoryRef) => ({ kind, repositoryRef }));
    case 'commit':
    case 'release':
      return ofNamed(kind, id, refOf);
    case 'finding':
    case 'build':
      return isRepositoryRef(scope) ? { kind, repositoryRef: scope, id } : null;
    case 'mission':
    case 'article':
    case 'video':
      return { kind, repositoryRef: scope, id };
    case 'service':
      return { kind, key: id };
    case 'check':
      return checkOf(id);
    case 'status-day':
      return dayOf(id);
    default:
      return scope === NO_REPOSITORY || kind === 'sync' ? { kind, id } : null;
  }
}

function ofRef(ref: RepositoryRef | null, make: (ref: RepositoryRef) => RecordIdentity | null): RecordIdentity | null {
  return ref === null ? null : make(ref);
}

/** `owner/name@sha` or `owner/name@tag`. */
function ofNamed(kind: 'commit' | 'release', id: string, refOf: Deletion['refOf']): RecordIdentity | null {
  const at = id.indexOf('@');
  const rest = id.slice(at + 1);
  if (at < 0 || rest === '') return null;
  return ofRef(refOf(id.slice(0, at)), (repositoryRef) => {
    if (kind === 'release') return { kind, repositoryRef, id };
    const sha = rest.toLowerCase();
    return isSha(sha) ? { kind, repositoryRef, sha } : null;
  });
}

/** `serviceKey@checkedAt@source`; a source may hold any characters. */
function checkOf(id: string): RecordIdentity | null {
  const [serviceKey = '', time = '', ...source] = id.split('@');
  const checkedAt = parseDateTime(time);
  return serviceKey === '' || checkedAt === null || source.length === 0 ? null : { kind: 'check', serviceKey, checkedAt, source: source.join('@') };
}

function dayOf(id: string): RecordIdentity | null {
  const [serviceKey = '', date = ''] = id.split('@');
  const day = parseDate(date);
  return serviceKey === '' || day === null ? null : { kind: 'status-day', serviceKey, day };
}
