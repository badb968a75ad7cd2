import { z } from 'zod';
import { parseState } from '../../running/registered-source.js';

/** The findings that are followed. What becomes of older ones is not read again. */
const MOST_FINDINGS = 5_000;
/** A finding with more commits is followed by the last commit of its branch and by the change as a whole. */
const MOST_COMMITS = 100;
const MOST_COMMITS_IN_ALL = 20_000;
/** Of all findings together. Without them, the next run looks for them again. */
const MOST_HELD_IN_ALL = 20_000;
/** Of all findings together, as they are stored. MongoDB stores at most 16 MB in a document. */
const MOST_BYTES = 8_000_000;

const text = z.string();
const texts = z.array(text).readonly();

/** A change that can be found again in another commit. `patch`: its patch id; `''` for a change of nothing. `key`: a hash of the paths of the changed files. */
const patch = z.tuple([text, text]).transform(([id, key]) => ({ patch: id, key }));

/** The commits of one type that a branch has, or had, for itself, so that later runs can follow them. */
const finding = z
  .object({
    id: text,
    branch: text,
    changeType: text,
    /** The number of its commits, also of those that are not remembered; `null` if unknown. */
    count: z.number().nullable(),
    /** A hash of all commits that the branch had for itself. While it stays the same, so does the content of the finding. */
    own: text,
    /** Oldest first; none if there are too many to remember. */
    commits: z.array(z.tuple([text, text, text]).transform(([sha, id, key]) => ({ sha, patch: id, key }))).readonly(),
    /** The last commit of the branch; `null` if unknown. */
    tip: text.nullable(),
    /** The last commits that the branch shared with the default branch. */
    bases: texts,
    /** The change of the whole branch, as one commit would make it; `null` if it has none. */
    squash: patch.nullable(),
    /** The commits of the default branch that an earlier run has found to make the same change. */
    held: texts,
  })
  .readonly();

const schema = z.object({
  /** A hash of everything that the findings depend on; `''` if the last run did not complete. */
  digest: text,
  /** A hash of everything outside the repository that the findings depend on; `''` if they may not be stored as they are remembered. */
  shape: text,
  /** Where the branches are, such as `refs/heads/`. */
  folder: text,
  findings: z.array(finding).readonly(),
});

export type Patch = z.output<typeof patch>;
export type FollowedFinding = z.output<typeof finding>;
export type FindingsState = z.output<typeof schema>;

export function parseFindingsState(state: string | null | undefined): FindingsState | null {
  return parseState(schema, state);
}

/** @param state its findings in the order of their importance. Those for which no space is left are left out */
export function writeFindingsState({ findings, ...rest }: FindingsState): string {
  const [takesCommits, takesHeld, takesBytes] = [allowance(MOST_COMMITS_IN_ALL), allowance(MOST_HELD_IN_ALL), allowance(MOST_BYTES)];
  const kept = findings.slice(0, MOST_FINDINGS).map(({ commits, squash, held, ...finding }) => {
    const commitsKept = commits.length <= MOST_COMMITS && takesCommits(commits.length) ? commits : [];
    const heldKept = held.slice(0, MOST_COMMITS);
    return JSON.stringify({
      ...finding,
      commits: commitsKept.map(({ sha, patch: id, key }) => [sha, id, key]),
      squash: squash === null ? null : [squash.patch, squash.key],
      held: takesHeld(heldKept.length) ? heldKept : [],
    });
  });
  const fitting = kept.filter((finding) => takesBytes(Buffer.byteLength(finding) + 1));
  // Each finding is JSON already.
  return `${JSON.stringify(rest).slice(0, -1)},"findings":[${fitting.join(',')}]}`;
}

/** Takes so much of what is left, or nothing if less is left. */
function allowance(limit: number): (amount: number) => boolean {
  let left = limit;
  return (amount) => {
    const isEnough = amount <= left;
    if (isEnough) left -= amount;
    return isEnough;
  };
}
