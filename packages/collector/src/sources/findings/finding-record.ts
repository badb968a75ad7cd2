import { compareText, type Commit, type Finding, type Instant } from '@vitrine/core';
import type { GitOrigin } from '../git/git-collection.js';
import { cut, interpretation, MAX_TITLE, publicIdOf, publicLine } from '../git/public-text.js';
import type { FollowedFinding } from './findings-state.js';
import type { Verdict } from './verdict.js';

/** What a finding says whatever became of its commits. `evidence.commitSha`: the only commit. */
type Matter = Pick<Finding, 'title' | 'evidence' | 'detectedAt' | 'sourceUrl'>;

export interface FollowedMatter {
  readonly followed: FollowedFinding;
  readonly matter: Matter;
  /** Whether its branch no longer has the commits for itself. */
  readonly isPast: boolean;
}

export interface FindingFrame {
  readonly origin: GitOrigin;
  readonly defaultBranch: string;
  readonly observedAt: Instant;
}

const MOST_FILES = 100;
const MOST_NAMES = 3;

/** A branch name contains no colon, so no other branch and type give the same id. */
export function findingIdOf({ name }: GitOrigin, branch: string, changeType: string): string {
  return publicIdOf(`${name.fullName}@${branch}:${changeType}`);
}

/** The commits of one type as one finding. @param commits at least one, in any order @param branch its name as it is shown */
export function matterOf(commits: readonly Commit[], branch: string, origin: GitOrigin): Matter {
  const sum = (count: (commit: Commit) => number): number => commits.reduce((total, commit) => total + count(commit), 0);
  const newest = commits.reduce((one, other) => (isNewer(other, one) ? other : one));
  const more = commits.length === 1 ? '' : ` (and ${commits.length - 1} more)`;
  return {
    title: `${cut(newest.title, MAX_TITLE - more.length)}${more}`,
    evidence: {
      branch,
      additions: sum(({ additions }) => additions),
      deletions: sum(({ deletions }) => deletions),
      files: [...new Set(commits.flatMap(({ changedPaths }) => changedPaths))].sort(compareText).slice(0, MOST_FILES),
      ...(commits.length === 1 && { commitSha: newest.sha }),
    },
    detectedAt: newest.committedAt,
    sourceUrl: origin.addresses.commit(newest.sha),
  };
}

/** Commits of the same second have an order too, so that the texts are always the same. */
function isNewer(one: Commit, other: Commit): boolean {
  return (one.committedAt - other.committedAt || compareText(one.sha, other.sha)) > 0;
}

/** @param before the stored finding, whose status stays if the fate of the commits is unknown */
export function findingRecord(
  { followed: { id, changeType, count }, matter }: FollowedMatter,
  verdict: Verdict,
  before: Finding | null,
  { origin, defaultBranch, observedAt }: FindingFrame,
): Finding {
  const { title, evidence, detectedAt } = matter;
  const commitSha = commitOf(matter, verdict);
  const sourceUrl = commitSha === undefined || commitSha === evidence.commitSha ? matter.sourceUrl : origin.addresses.commit(commitSha);
  const lines = `${counted(evidence.additions, 'line')} added, ${counted(evidence.deletions, 'line')} removed`;
  const commits = count === null ? 'Commits' : counted(count, 'commit');
  return {
    kind: 'finding',
    repositoryRef: origin.ref,
    id,
    title,
    summary: `${statusSentence(evidence.branch, verdict, defaultBranch)} ${commits} of the type ${changeType}: ${lines}.`,
    status: verdict.status === 'UNKNOWN' ? (before?.status ?? 'EXPERIMENTAL') : verdict.status,
    changeType,
    evidence: { ...evidence, ...(commitSha !== undefined && { commitSha }) },
    detectedAt,
    sourceUrl,
    provenance: interpretation(origin.label, { sourceUrl, observedAt, confidence: confidenceOf(verdict), isOfficialSource: false }),
  };
}

/** The one commit that carries the change: the one of the default branch, where another has taken its place there. */
function commitOf({ evidence: { commitSha } }: Matter, verdict: Verdict): string | undefined {
  if (verdict.areOwn) return commitSha;
  const [only, ...others] = verdict.held;
  return others.length === 0 ? only : commitSha;
}

/** Equal changes are very likely the same one; equal commits are. */
function confidenceOf(verdict: Verdict): 'high' | 'medium' | 'low' {
  if (verdict.status === 'UNKNOWN') return 'low';
  return verdict.areOwn ? 'high' : 'medium';
}

function statusSentence(branch: string, verdict: Verdict, defaultBranch: string): string {
  switch (verdict.status) {
    case 'EXPERIMENTAL':
      return `Only on the branch ${branch}.`;
    case 'UNKNOWN':
      return `The branch ${branch} is gone or was rewritten, and nothing shows what became of this change.`;
    case 'RETRACTED':
      return `${verdict.by === 'closing' ? 'Closed without merging' : 'Reverted'}. It came from the branch ${branch}.`;
    case 'RELEASED':
      return `Released with ${namesOf(verdict.tags)}, from the branch ${branch}.`;
    case 'CONFIRMED':
      return verdict.areOwn
        ? `Merged into ${defaultBranch} from the branch ${branch}.`
        : `${defaultBranch} has the same change as the branch ${branch}.`;
  }
}

function namesOf(tags: readonly string[]): string {
  const shown = tags.slice(0, MOST_NAMES).map((tag) => publicLine(tag, MAX_TITLE));
  const more = tags.length - shown.length;
  return `${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
