import {
  Allowlist,
  nameOfRef,
  NO_REPOSITORY,
  parseRepositoryName,
  UnavailableError,
  type AllowlistEntry,
  type ApprovedRepositories,
  type RepositoryRef,
} from '@vitrine/core';
import { StoreFolderError, type StoreFolderProblem } from '../folder/store-folder-error.js';

/** What a store sends to its thread. */
export type ToThread =
  | { readonly call: number; readonly name: string; readonly request: unknown }
  /** The caller has gone. */
  | { readonly abort: number }
  /** Finish the calls that have arrived, close the file, and end. */
  | { readonly end: true };

/** What a thread sends to its store. */
export type FromThread =
  | { readonly call: number; readonly result: unknown }
  | { readonly call: number; readonly error: SentError }
  /** Something that no call asked for; sent in order with the results. */
  | { readonly event: StoreEvent };

/** A stored record that a thread could not use. */
export interface StoreEvent {
  readonly kind: string;
  readonly id: string;
  readonly reason: string;
}

/** An error as a message: structured clones lose the class. */
interface SentError {
  readonly type: string;
  readonly message: string;
  /** Further constructor arguments of known classes. */
  readonly details: readonly (string | null)[];
}

/** Prepares an error for another thread. */
export function sentError(error: unknown): SentError {
  if (!(error instanceof Error)) return { type: 'Error', message: String(error), details: [] };
  return { type: error.name, message: error.message, details: detailsOf(error) };
}

/** The error with its class, in the thread that receives it. */
export function receivedError({ type, message, details }: SentError): Error {
  const [first, second] = details;
  switch (type) {
    case 'UnavailableError':
      return new UnavailableError(message);
    case 'StoreFolderError':
      return new StoreFolderError((first ?? 'unreadable') as StoreFolderProblem, second ?? '', message);
    default:
      return plainError(type, message);
  }
}

function detailsOf(error: Error): readonly string[] {
  return error instanceof StoreFolderError ? [error.problem, error.folder] : [];
}

function plainError(name: string, message: string): Error {
  const error = new Error(message);
  error.name = name;
  return error;
}

/** An allowlist as a message: a structured clone would not be a permission. */
export interface SentApproval {
  readonly refs: readonly RepositoryRef[];
  /** Whether records of no repository are included. */
  readonly admitsNone: boolean;
}

export function sentApproval(approved: ApprovedRepositories): SentApproval {
  return { refs: approved.refs, admitsNone: approved.admits(NO_REPOSITORY) };
}

/** The same permission in the thread that receives it. The names are in lower case there. */
export function receivedApproval({ refs, admitsNone }: SentApproval): ApprovedRepositories {
  const approved = new Allowlist(refs.map(entryOf)).approved();
  // Only the permission for one repository excludes records of none.
  return admitsNone ? approved : approved.only(refs[0] ?? 'not/approved');
}

function entryOf(ref: RepositoryRef): AllowlistEntry {
  const fullName = nameOfRef(ref);
  const name = parseRepositoryName(fullName);
  if (name === null) throw new RangeError(`"${ref}" is not a repository`);
  return { ...name, forgeId: ref === fullName ? null : ref.slice(fullName.length + 1) };
}
