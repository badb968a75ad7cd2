import type { HiddenReason } from '../approvals/hidden-repository.js';
import { DocumentError } from '../documents/document-error.js';
import type { Validators } from '../outgoing/fetch-document.js';
import type { ForgeCall, ForgeClient, ForgeDocument } from './forge-client.js';
import type { ForgeDialect, ForgeRepository } from './forge-dialect.js';
import type { ForgeState } from './forge-state.js';

const MOST_MOVES = 3;

/** What a forge says about the repository itself. */
export type FoundRepository =
  | { readonly kind: 'hidden'; readonly reason: HiddenReason }
  | { readonly kind: 'unchanged'; readonly base: string; readonly isMoved: boolean }
  | {
      readonly kind: 'public';
      readonly base: string;
      readonly isMoved: boolean;
      readonly repository: ForgeRepository;
      readonly validators: Validators;
    };

export interface FindRepositoryOptions extends ForgeCall {
  readonly client: ForgeClient;
  readonly dialect: ForgeDialect;
  /** The path in the API under which the repository is configured. */
  readonly path: string;
  /** The id that the allowlist pins; `null`: none. */
  readonly pinnedId: string | null;
  readonly state: Pick<ForgeState, 'id' | 'repository'>;
}

/**
 * Reads the repository unless it has not changed. A repository that was renamed is followed on the same host, and only if it has the pinned id, or the id that it had when it
 * was read last: the new name may belong to another owner. Rejects if the forge cannot be reached.
 */
export async function findRepository(options: FindRepositoryOptions): Promise<FoundRepository> {
  const { client, path, state } = options;
  let base = path;
  let isForGood = true;
  for (let moves = 0; moves <= MOST_MOVES; moves++) {
    const isMoved = moves > 0;
    const answer = await client.get(base, state.repository, options);
    if (answer.kind === 'gone') return { kind: 'hidden', reason: 'gone' };
    if (answer.kind === 'unchanged') return { kind: 'unchanged', base, isMoved };
    if (answer.kind === 'document') return judged(answer, { base, isMoved }, options);
    if (answer.path === null) break;
    base = answer.path;
    isForGood &&= !answer.isTemporary;
  }
  // Such as a page for signing in.
  if (!isForGood) throw new DocumentError('not a forge', `${path} redirects, and not to a repository; correct the address in api`);
  return { kind: 'hidden', reason: 'other-id' };
}

interface Place {
  readonly base: string;
  readonly isMoved: boolean;
}

function judged({ json, validators }: ForgeDocument, place: Place, options: FindRepositoryOptions): FoundRepository {
  const { client, dialect, pinnedId, state } = options;
  const repository = dialect.readRepository(json, client.isAnonymous);
  if (repository === null) throw new DocumentError('not a forge', `${place.base} does not describe a repository; correct the address in api`);
  if (!repository.isPublic) return { kind: 'hidden', reason: 'private' };
  const expected = pinnedId ?? (place.isMoved ? state.id : repository.ids[0]);
  if (expected === null || !repository.ids.includes(expected)) return { kind: 'hidden', reason: 'other-id' };
  return { kind: 'public', ...place, repository, validators };
}
