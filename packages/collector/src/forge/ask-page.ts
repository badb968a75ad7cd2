import { DocumentError } from '../documents/document-error.js';
import type { Validators } from '../outgoing/fetch-document.js';
import { OutgoingError } from '../outgoing/outgoing-error.js';
import type { ForgeAnswer, ForgeCall, ForgeClient, ForgeDocument } from './forge-client.js';

/** Where a list is. */
export interface ListPlace extends ForgeCall {
  readonly client: ForgeClient;
  /** The path of the repository in the API. */
  readonly base: string;
}

/**
 * Asks for a page of a list. `absent`: the repository has no such list. `refused`: it must not be read, so nothing is known. Rejects if the page cannot be read.
 *
 * @param path below the repository, with its query
 * @param known the validators of the stored page; `null` fetches it in any case
 */
export async function askPage(path: string, known: Validators | null, { client, base, ...call }: ListPlace): Promise<PageAnswer> {
  const answer = await orRefused(client.get(base + path, known, call));
  if (answer === 'refused') return answer;
  if (answer.kind === 'unchanged') return 'unchanged';
  if (answer.kind === 'gone') return 'absent';
  if (answer.kind === 'document') return { ...answer, next: answer.next === null ? null : answer.next.slice(base.length) };
  // The repository was found here. So this is not about the repository, or it was renamed a moment ago.
  throw new DocumentError('not a forge', `${base}${path} redirects to another address; correct the address in api`);
}

/** In a document, `next` is below the repository too. */
export type PageAnswer = ForgeDocument | 'unchanged' | 'absent' | 'refused';

/** A forge can refuse a single list, for example because it is for members only. */
async function orRefused(asked: Promise<ForgeAnswer>): Promise<ForgeAnswer | 'refused'> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof OutgoingError && error.reason === 'http 403') return 'refused';
    throw error;
  }
}

/** Throws that a document has a wrong shape. @param plural the plural of the items */
export function failAsList({ base }: Pick<ListPlace, 'base'>, path: string, plural: string): never {
  throw new DocumentError('not a forge', `${base}${path} is not a list of ${plural}; correct the address in api`);
}

/** @param plural the plural of the items */
export function refusalWarning(plural: string): string {
  return `the forge refuses the list of ${plural} (http 403), so it is not collected`;
}

/** Nothing unless items were left out. @param plural the plural of the items */
export function invalidWarning(plural: string, invalid: number): readonly string[] {
  return invalid === 0 ? [] : [`${plural} that were left out, because they are not valid: ${invalid}`];
}
