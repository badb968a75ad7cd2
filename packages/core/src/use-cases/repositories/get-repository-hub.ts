import type { Build } from '../../kinds/build.js';
import type { Commit } from '../../kinds/commit.js';
import type { Finding } from '../../kinds/finding.js';
import type { RecordOf } from '../../kinds/kinds.js';
import type { Instant } from '../../kinds/instant.js';
import type { Mission } from '../../kinds/mission.js';
import type { Release } from '../../kinds/release.js';
import type { Repository } from '../../kinds/repository.js';
import type { SyncedKind, SyncTimes } from '../../kinds/sync.js';
import type { ListReader } from '../../ports/readers.js';
import { withLastSynced, withOwnAddresses } from '../../rules/own-url.js';
import { latestVisible, Sources, withoutParts, type ComposedAnswer, type UseCaseContext } from '../shared/answer.js';
import type { Parts } from '../shared/parts.js';
import { noFilters } from '../shared/records.js';
import type { RepositoryInput } from './repositories.js';
import { byName, withPermission } from '../shared/arguments.js';

/** How many of the newest records of each kind a hub shows. */
export const HUB_LENGTH = 10;

/** Everything newest around one repository. All records belong to it. */
export interface RepositoryHub {
  readonly repository: Repository;
  readonly commits: readonly Commit[];
  readonly releases: readonly Release[];
  readonly findings: readonly Finding[];
  readonly builds: readonly Build[];
  readonly missions: readonly Mission[];
  /** Whether some part could not be read and is therefore empty. */
  readonly partial: boolean;
}

const HUB_KINDS = ['repository', 'commit', 'release', 'finding', 'build', 'mission'] as const satisfies readonly SyncedKind[];

/** One approved repository with its newest records, read side by side. */
export class GetRepositoryHub {
  readonly takes = withPermission<RepositoryInput>(byName);

  constructor(
    private readonly parts: Parts<'gate' | 'freshness' | 'deadlines' | 'clock', 'commits' | 'releases' | 'findings' | 'builds' | 'missions'>,
  ) {}

  async execute({ fullName }: RepositoryInput, context: UseCaseContext): Promise<ComposedAnswer<RepositoryHub>> {
    const { gate, freshness: judge, deadlines, clock } = this.parts;
    const repository = await gate.named(fullName, context);
    const now = clock.now();
    const sources = new Sources(deadlines, context.signal);
    const [parts, syncs] = await Promise.all([
      this.#parts(repository, latestVisible(now), sources, context),
      sources.read<readonly SyncTimes[]>([], [], (signal) => judge.syncs({ ...context, signal })),
    ]);
    const shown = HUB_KINDS.filter((kind) => kind === 'repository' || parts[partOf[kind]].length > 0);
    const freshness = judge.judge({ kinds: HUB_KINDS, shown, scope: { repositoryRef: repository.repositoryRef } }, syncs);
    return {
      data: { repository: withLastSynced(repository, syncs), ...parts, partial: sources.partial },
      // Never unavailable: the repository itself was read.
      ...withoutParts(freshness, sources.warnings),
      generatedAt: now,
    };
  }

  async #parts(repository: Repository, to: Instant, sources: Sources, context: UseCaseContext) {
    const { readers, gate } = this.parts;
    const approved = context.approved.only(repository.repositoryRef);
    const own = async <Kind extends keyof typeof partOf>(kind: Kind, reader: ListReader<Kind>): Promise<readonly RecordOf<Kind>[]> => {
      const query = { limit: HUB_LENGTH, after: null, from: null, to, ...noFilters(kind) };
      const read = async (signal: AbortSignal) => (await reader.list(approved, query, { signal })).items;
      const found = await sources.read<readonly RecordOf<Kind>[]>([kind], [], read);
      return gate.admitted(found, { ...context, approved }).map((record) => withOwnAddresses(record, repository));
    };
    const [commits, releases, findings, builds, missions] = await Promise.all([
      own('commit', readers.commits),
      own('release', readers.releases),
      own('finding', readers.findings),
      own('build', readers.builds),
      own('mission', readers.missions),
    ]);
    return { commits, releases, findings, builds, missions };
  }
}

const partOf = { commit: 'commits', release: 'releases', finding: 'findings', build: 'builds', mission: 'missions' } as const;
