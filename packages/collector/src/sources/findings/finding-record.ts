import { compareText, type Commit, type Finding, type Instant } from '@vitrine/core';
import type { GitOrigin } from '../git/git-collection.js';
import { cut, MAX_TITLE, publicIdOf, publicLine } from '../git/public-text.js';
import type { LiveBranch } from './read-branches.js';
import type { Verdict } from './verdict.js';

/** What a finding says whatever became of its commits. `evidence.commitSha`: the only commit. */
export interface Matter extends Pick<Finding, 'id' | 'title' | 'changeType' | 'evidence' | 'detectedAt' | 'sourceUrl'> {
  /** The number of commits; `null` if unknown. */
  readonly count: number | null;
}

export interface FindingOrigin extends GitOrigin {
  readonly defaultBranch: string;
}

const MOST_FILES = 100;
const MOST_NAMES = 3;

/** A branch name contains no colon, so no other branch and type give the same id. */
export function findingIdOf({ name }: GitOrigin, branch: string, changeType: string): string {
  return publicIdOf(`${name.fullName}@${branch}:${changeType}`);
}

/** The commits of one type as one finding. @param commits at least one, in any order */
export function matterOf(
  commits: readonly Commit[],
  { name, shown }: Pick<LiveBranch, 'name' | 'shown'>,
  changeType: string,
  origin: GitOrigin,
): Matter {
  const sum = (count: (commit: Commit) => number): number => commits.reduce((total, commit) => total + count(commit), 0);
  const newest = commits.reduce((one, other) => (isNewer(other, one) ? other : one));
  const more = commits.length === 1 ? '' : ` (and ${commits.length - 1} more)`;
  return {
    id: findingIdOf(origin, name, changeType),
    title: `${cut(newest.title, MAX_TITLE - more.length)}${more}`,
    changeType,
    evidence: {
      branch: shown,
      additions: sum(({ additions }) => additions),
      deletions: sum(({ deletions }) => deletions),
      files: [...new Set(commits.flatMap(({ changedPaths }) => changedPaths))].sort(compareText).slice(0, MOST_FILES),
      ...(commits.length === 1 && { commitSha: newest.sha }),
    },
    detectedAt: newest.committedAt,
    count: commits.length,
    sourceUrl: origin.addresses.commit(newest.sha),
  };
}

/** Commits of the same second have an order too, so that the texts are always the same. */
function isNewer(one: Commit, other: Commit): boolean {
  return one.committedAt - other.committedAt > 0 || (one.committedAt === other.committedAt && compareText(one.sha, other.sha) > 0);
}

/** @param before the stored finding, whose status stays if the fate of the commits is unknown */
export function findingRecord(matter: Matter, verdict: Verdict, before: Finding | null, origin: FindingOrigin, observedAt: Instant): Finding {
  const { id, title, changeType, evidence, detectedAt } = matter;
  const commitSha = commitOf(matter, verdict);
  const sourceUrl = commitSha === undefined || commitSha === evidence.commitSha ? matter.sourceUrl : origin.addresses.commit(commitSha);
  return {
    kind: 'finding',
    repositoryRef: origin.ref,
    id,
    title,
    summary: `${statusSentence(matter, verdict, origin)} ${sizeSentence(matter)}`,
    status: verdict.status === 'UNKNOWN' ? (before?.status ?? 'EXPERIMENTAL') : verdict.status,
    changeType,
    evidence: { ...evidence, ...(commitSha !== undefined && { commitSha }) },
    detectedAt,
    sourceUrl,
    provenance: {
      source: origin.label,
      sourceKind: 'service-interpretation',
      sourceUrl,
      observedAt,
      confidence: confidenceOf(verdict),
      isOfficialSource: false,
    },
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

function statusSentence({ evidence: { branch } }: Matter, verdict: Verdict, { defaultBranch }: FindingOrigin): string {
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

function sizeSentence({ count, changeType, evidence: { additions, deletions } }: Matter): string {
  const commits = count === null ? 'Commits' : counted(count, 'commit');
  return `${commits} of the type ${changeType}: ${counted(additions, 'line')} added, ${counted(deletions, 'line')} removed.`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
