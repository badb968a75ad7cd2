import { changeTypeOf, EARLIEST_INSTANT, LATEST_INSTANT, type Commit, type Instant } from '@vitrine/core';
import type { RawCommit } from './commit-log.js';
import { provenanceOf, type GitOrigin } from './git-origin.js';
import { MAX_TITLE, publicAuthor, publicLine, splitMessage } from './public-text.js';

/** The data that a commit's record needs besides the commit. */
export interface CommitFacts {
  readonly branch: string | null;
  readonly committedAt: Instant;
  readonly observedAt: Instant;
  /** Whether the changes are known. At the end of a shallow clone they are not. */
  readonly isWhole: boolean;
}

export function commitRecord(raw: RawCommit, facts: CommitFacts, origin: GitOrigin): Commit {
  const { title, rest } = splitMessage(raw.message);
  const changedPaths = raw.changedPaths.map((path) => publicLine(path, MAX_TITLE));
  return {
    kind: 'commit',
    repositoryRef: origin.ref,
    sha: raw.sha,
    title: title === '' ? '(no message)' : title,
    description: rest,
    authorName: publicAuthor(raw.authorName, MAX_TITLE),
    authorLogin: '',
    branch: facts.branch,
    additions: raw.additions,
    deletions: raw.deletions,
    filesChanged: raw.filesChanged,
    changeType: changeTypeOf(title, changedPaths),
    committedAt: facts.committedAt,
    changedPaths,
    provenance: provenanceOf(origin, {
      sourceUrl: origin.addresses.commit(raw.sha),
      observedAt: facts.observedAt,
      publishedAt: facts.committedAt,
      confidence: facts.isWhole ? 'high' : 'low',
    }),
  };
}

/** A date from a commit or a tag, limited to the range of times that records can contain. */
export function claimedInstant(milliseconds: number): Instant {
  return Math.min(Math.max(milliseconds, EARLIEST_INSTANT), LATEST_INSTANT);
}
