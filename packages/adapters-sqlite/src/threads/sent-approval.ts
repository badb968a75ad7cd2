import {
  Allowlist,
  nameOfRef,
  NO_REPOSITORY,
  parseRepositoryName,
  type AllowlistEntry,
  type ApprovedRepositories,
  type RepositoryRef,
} from '@vitrine/core';

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
