import { History } from '../../src/sources/findings/history.js';

/** Counts how often the parents of its commits are read. */
export class CountedHistory extends History {
  asked = 0;

  override add(sha: string, parents: readonly string[]): void {
    super.add(sha, parents);
    const commit = this.get(sha);
    const known = commit?.parents;
    const get = () => {
      this.asked++;
      return known;
    };
    if (commit !== undefined) Object.defineProperty(commit, 'parents', { get });
  }
}
