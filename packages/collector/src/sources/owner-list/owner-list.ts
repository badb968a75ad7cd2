import type { OwnerPattern } from '@vitrine/config';
import { asciiLowerCase, isForgeId, parseRepositoryName, type ListedRepository } from '@vitrine/core';
import { z } from 'zod';
import { parseState } from '../../running/registered-source.js';

const PREFIX = 'configuration:approved:github:';

/** The id of the sync record that holds the list of a pattern's owner. Patterns that differ only in what they choose from the list share it. */
export function ownerListId({ owner, ownerId, api }: Pick<OwnerPattern, 'owner' | 'ownerId' | 'api'>): string {
  const { host, pathname } = new URL(api);
  const server = host === 'api.github.com' ? '' : `${host}${pathname === '/' ? '' : pathname}:`;
  return `${PREFIX}${server}${asciiLowerCase(owner)}${ownerId === null ? '' : `#${ownerId}`}`;
}

export function isOwnerListId(id: string): boolean {
  return id.startsWith(PREFIX);
}

const repositorySchema = z.object({
  name: z.string(),
  id: z.string(),
  isFork: z.boolean().default(false),
  isArchived: z.boolean().default(false),
});

/** What is stored of a page: which version it was, where the list goes on, and the public repositories on it. */
const pageSchema = z.object({
  url: z.string(),
  etag: z.string().nullable(),
  next: z.string().nullable(),
  repositories: z.array(repositorySchema.transform(listed)),
});

const stateSchema = z.object({ pages: z.array(pageSchema) });

export type ListPage = z.output<typeof pageSchema>;

/** The pages of a stored list; `null` if nothing is stored, or nothing that can be read. */
export function parseOwnerList(state: string | null | undefined): readonly ListPage[] | null {
  return parseState(stateSchema, state)?.pages ?? null;
}

/** The state of the sync record. What is `false` is left out, because lists are long. */
export function ownerListState(pages: readonly ListPage[]): string {
  const stored = pages.map(({ repositories, ...page }) => ({
    ...page,
    repositories: repositories.map(({ fullName: name, forgeId: id, isFork, isArchived }) => ({
      name,
      id,
      ...(isFork && { isFork }),
      ...(isArchived && { isArchived }),
    })),
  }));
  return JSON.stringify({ pages: stored });
}

/** The repositories of a list. One that moved from one page to the next while they were read is in it once. */
export function repositoriesOf(pages: readonly ListPage[]): readonly ListedRepository[] {
  const all = pages.flatMap(({ repositories }) => repositories);
  return [...new Map(all.map((repository) => [repository.forgeId, repository])).values()];
}

function listed({ name: text, id, isFork, isArchived }: z.output<typeof repositorySchema>, context: z.core.$RefinementCtx): ListedRepository {
  const name = parseRepositoryName(text);
  if (name !== null && isForgeId(id)) return { ...name, forgeId: id, isFork, isArchived };
  context.issues.push({ code: 'custom', message: 'is not a repository', input: text });
  return z.NEVER;
}
