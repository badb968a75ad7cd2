import { nameOfRef } from '@vitrine/core';
import { isRefusal } from '../git/available-commits.js';
import { openFolder, type FolderRepository } from '../git/git-remotes.js';
import { ForgeAddresses } from '../git/push-addresses.js';
import { readingEnvironment } from '../git/git-process.js';
import { GitError } from '../git/git-error.js';
import { parseGitLocation } from '../git/remote-address.js';
import { folderOf, shownOptions, timeoutMsOf, type GitSourceOptions } from '../git/git-source.js';
import { Mirror } from '../git/mirror.js';
import { readSourceRefs } from '../git/git-refs.js';
import type { RunReport, Source, SourceContext } from '../../running/source.js';
import type { Registration } from '../../running/sync-records.js';
import { collectFindings, type FindingsCollection } from './collect-findings.js';
import { HistoryFile } from './history.js';
import { requirePatchIds } from './patch-ids.js';
import { ClosedBranches, type ReadPullRequests } from './pull-requests.js';

/** The options of the git source, and further facts about the repository. */
export interface FindingsSourceOptions extends GitSourceOptions {
  /** Asked at each run. Default: nothing is known. */
  readonly pullRequests?: ReadPullRequests;
}

/**
 * Findings about the branches of a repository. It reads the folder or the clone of a git source, as the last run of that source has left it, and the
 * stored findings. The two sources must not run at the same time. Throws a `GitError` if the repository cannot be read; the stored findings then stay.
 */
export class FindingsSource implements Source {
  readonly id: string;
  readonly intervalMs: number;
  readonly registration: Registration;
  readonly #options: FindingsSourceOptions;
  #isGitNew = false;
  readonly #told: FindingsCollection['told'] = { warnings: [] };

  constructor(options: FindingsSourceOptions) {
    const { ref, name, intervalMs } = options;
    this.id = `finding ${nameOfRef(ref)}`;
    this.intervalMs = intervalMs;
    this.registration = {
      id: `finding:${nameOfRef(ref)}`,
      sourceType: 'finding',
      label: name.fullName,
      repositoryRef: ref,
      feeds: ['finding'],
    };
    this.#options = options;
  }

  async run(context: SourceContext): Promise<RunReport> {
    const location = parseGitLocation(this.#options.location);
    if (location.kind === 'address') return this.#readClone(context, location.address);
    const { environment } = this.#options;
    const options = { environment: readingEnvironment(environment), timeoutMs: timeoutMsOf(this.#options), signal: context.signal };
    return this.#read(context, await openFolder(location.path, options));
  }

  async #readClone(context: SourceContext, address: string): Promise<RunReport> {
    const { cacheFolder, environment, ref } = this.#options;
    const { signal } = context;
    const mirror = await Mirror.open({ address, cacheFolder, environment, timeoutMs: timeoutMsOf(this.#options), signal });
    const clone = await mirror.current();
    if (clone === null) throw new GitError(`the repository was not cloned yet: see what the source git ${nameOfRef(ref)} reports`);
    try {
      return await this.#read(context, folderOf(clone));
    } catch (error) {
      // Another process may have replaced the clone.
      const next = isRefusal(error) ? await mirror.current() : null;
      if (next === null || next.generation === clone.generation) throw error;
      return this.#read(context, folderOf(next));
    }
  }

  async #read(context: SourceContext, repository: FolderRepository): Promise<RunReport> {
    const startedAt = context.clock.now();
    const { ref, name, url, forge, label, cacheFolder, location, pullRequests } = this.#options;
    const shown = await readSourceRefs(repository, { ...shownOptions(this.#options), signal: context.signal });
    if (!this.#isGitNew) await requirePatchIds(shown.git);
    this.#isGitNew = true;
    const origin = { ref, name, addresses: new ForgeAddresses(url, forge), label };
    const closed = new ClosedBranches((await pullRequests?.(context)) ?? [], shown.refs.defaultBranch);
    const file = new HistoryFile(cacheFolder, location);
    return collectFindings({ context, ...shown, origin, source: this, startedAt, file, closed, told: this.#told });
  }
}
