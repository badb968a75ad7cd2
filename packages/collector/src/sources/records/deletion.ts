import { object, problemsOf, type Problem, privateText } from '@vitrine/config/internal';
import {
  isSha,
  KINDS,
  NO_REPOSITORY,
  parseDate,
  parseDateTime,
  parseRepositoryName,
  type ListedKind,
  type RecordIdentity,
  type RecordKind,
  type RepositoryRef,
  type ScopeRef,
} from '@vitrine/core';
import { z } from 'zod';
import { mayBeScoped, scopeOfLine, type LineContext } from './line-reader.js';
import { opaque } from './record-fields.js';

const schema = object('a deletion', {
  kind: opaque,
  id: privateText('the id of the record', 'is not an id', (value) => value !== '' && value.length <= 1_000),
  ...mayBeScoped,
  deleted: z.literal(true, { error: 'is not true; write true, or leave it out' }),
});

/** The form of the id for kinds whose deletion does not use the record's own `id`. */
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
  /** The scope of the field `repository`; `-` if the line does not have it. */
  readonly scope: ScopeRef;
  /** The ref for a repository name inside an id. */
  readonly refOf: (fullName: string) => RepositoryRef | null;
}

/** Decodes `{"kind", "id", "deleted": true}`. Returns the identity to delete, or the problems of the line. */
export function readDeletion(value: object, kind: RecordKind, context: LineContext): RecordIdentity | readonly Problem[] {
  const result = schema.safeParse(value);
  if (!result.success) return problemsOf(result.error.issues, value);
  const { id, repository, repositoryRef } = result.data;
  const named = parseRepositoryName(id.split('@', 1)[0] ?? '');
  const scope = scopeOfLine(repository ?? (repositoryRef === undefined ? null : named), repositoryRef, context);
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
      return ofRepository(refOf(id));
    case 'commit':
    case 'release':
      return ofNamed(kind, id, refOf);
    case 'service':
      return { kind, key: id };
    case 'check':
      return checkOf(id);
    case 'status-day':
      return dayOf(id);
    case 'sync':
      return { kind, id };
    default:
      return ofListed(kind, id, scope);
  }
}

/** A kind whose records have an id of their own, and a repository as often as its facts say. */
function ofListed(kind: Exclude<ListedKind, 'commit' | 'release'>, id: string, scope: ScopeRef): RecordIdentity | null {
  if (kind === 'news' || kind === 'incident') return scope === NO_REPOSITORY ? { kind, id } : null;
  return scope === NO_REPOSITORY && KINDS[kind].ownership === 'always' ? null : { kind, repositoryRef: scope, id };
}

function ofRepository(repositoryRef: RepositoryRef | null): RecordIdentity | null {
  return repositoryRef === null ? null : { kind: 'repository', repositoryRef };
}

/** `owner/name@sha` or `owner/name@tag`. */
function ofNamed(kind: 'commit' | 'release', id: string, refOf: Deletion['refOf']): RecordIdentity | null {
  const at = id.indexOf('@');
  const rest = id.slice(at + 1);
  const repositoryRef = at < 0 || rest === '' ? null : refOf(id.slice(0, at));
  if (repositoryRef === null) return null;
  if (kind === 'release') return { kind, repositoryRef, id };
  const sha = rest.toLowerCase();
  return isSha(sha) ? { kind, repositoryRef, sha } : null;
}

/** `serviceKey@checkedAt@source`; a source may contain any characters. */
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
