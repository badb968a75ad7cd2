import { asciiLowerCase, isForgeId, parseRepositoryName, type ListedRepository } from '@vitrine/core';
import { z } from 'zod';

/** The list of an owner's repositories cannot be used. */
export class OwnerListError extends Error {
  /** For sync records, such as `RATE_LIMITED`. */
  readonly code: string;
  /** How long to wait before the next request, in milliseconds; `null` if unknown. */
  readonly retryAfterMs: number | null;

  constructor(message: string, code: string, retryAfterMs: number | null = null) {
    super(message);
    this.name = 'OwnerListError';
    [this.code, this.retryAfterMs] = [code, retryAfterMs];
  }
}

/** A repository as GitHub lists it. Only what is needed; `visibility` is missing on old servers. */
const repositorySchema = z.object({
  id: z.number().int().nonnegative(),
  name: z.string(),
  private: z.boolean(),
  visibility: z.string().optional(),
  fork: z.boolean(),
  archived: z.boolean(),
  owner: z.object({ login: z.string(), id: z.number().int() }),
});

const MOST_ON_PAGE = 1_000;
const pageSchema = z.array(repositorySchema).max(MOST_ON_PAGE);

type Said = z.output<typeof repositorySchema>;

/** Whose list it should be. */
interface ListOwner {
  readonly owner: string;
  /** `null`: any owner of the name. */
  readonly ownerId: string | null;
}

/**
 * The public repositories of the owner on a page. Private and internal ones, and those of others, are left out. Throws an {@link OwnerListError} if this is
 * not such a page, or if the name belongs to another owner now.
 */
export function parseListPage(body: Uint8Array, { owner, ownerId }: ListOwner): readonly ListedRepository[] {
  const page = pageSchema.safeParse(jsonOf(body));
  if (!page.success) throw new OwnerListError(`the list of ${owner} is not a list of repositories as GitHub sends it`, 'NO_LIST');
  const own = page.data.filter(({ owner: { login } }) => asciiLowerCase(login) === asciiLowerCase(owner));
  const other = ownerId === null ? undefined : own.find(({ owner: { id } }) => String(id) !== ownerId);
  if (other !== undefined)
    throw new OwnerListError(
      `the name ${owner} belongs to the account ${String(other.owner.id)}, and not to ${String(ownerId)}. If you trust this account, write id: ${String(other.owner.id)}`,
      'OTHER_OWNER',
    );
  return own.flatMap(listedOf);
}

function listedOf({ id, name: text, owner, private: isPrivate, visibility = 'public', fork: isFork, archived: isArchived }: Said) {
  const name = parseRepositoryName(`${owner.login}/${text}`);
  if (name === null || isPrivate || visibility !== 'public' || !isForgeId(String(id))) return [];
  return [{ ...name, forgeId: String(id), isFork, isArchived } satisfies ListedRepository];
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return null;
  }
}

const NEXT = /<([^<>]*)>[^,]*;\s*rel="?next"?/i;

/** The address of the next page from a `Link` header; `null` without one. It must be on the server that was asked. */
export function nextPageOf(link: string | undefined, url: string): string | null {
  const target = NEXT.exec(link ?? '')?.[1];
  if (target === undefined) return null;
  const next = URL.canParse(target, url) ? new URL(target, url) : null;
  if (next === null || next.origin !== new URL(url).origin) throw new OwnerListError('the list goes on at another server', 'OTHER_SERVER');
  return next.href;
}
