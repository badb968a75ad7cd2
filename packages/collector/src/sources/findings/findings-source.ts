import { nameOfRef } from '@vitrine/core';
import { originOf, shownOptions, type GitSourceOptions } from '../git/git-source.js';
import { localRepository } from '../git/local-repository.js';
import { readSourceRefs } from '../git/git-refs.js';
import { RegisteredSource } from '../../running/registered-source.js';
import type { RunReport, SourceContext } from '../../running/source.js';
import { collectFindings, type FindingsCollection } from './collect-findings.js';
import { requirePatchIds } from './patch-ids.js';
import { ClosedBranches, type ReadPullRequests } from './pull-requests.js';

export interface FindingsSourceOptions extends GitSourceOptions {
  readonly pullRequests?: ReadPullRequests;
}

/**
 * Findings about the branches of a repository. It reads the folder or the clone of a git source, as the last run of that source has left it, and the
 * stored findings. The two sources must not run at the same time. Throws a `GitError` if the repository cannot be read; the stored findings then stay.
 */
export class FindingsSource extends RegisteredSource {
  readonly #options: FindingsSourceOptions;
  readonly #told: FindingsCollection['told'] = { warnings: [] };

  constructor(options: FindingsSourceOptions) {
    const { ref, name, intervalMs } = options;
    const id = `finding:${nameOfRef(ref)}`;
    super(`finding ${nameOfRef(ref)}`, intervalMs, { id, sourceType: 'finding', label: name.fullName, repositoryRef: ref, feeds: ['finding'] });
    this.#options = options;
  }

  async run(context: SourceContext): Promise<RunReport> {
    const startedAt = context.clock.now();
    const { ref, cacheFolder, location, pullRequests } = this.#options;
    const options = { ...shownOptions(this.#options), name: nameOfRef(ref), signal: context.signal };
    const shown = await readSourceRefs(await localRepository(options), options);
    await requirePatchIds(shown.git);
    const closed = new ClosedBranches((await pullRequests?.(context)) ?? [], shown.refs.defaultBranch);
    return collectFindings({
      context,
      ...shown,
      origin: originOf(this.#options),
      source: this,
      startedAt,
      kept: { cacheFolder, location },
      closed,
      told: this.#told,
    });
  }
}
