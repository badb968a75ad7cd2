import { leftOut, list, nullable, optional, ownRepository, part, text, time, whole, type KindFacts } from './fields.js';
import type { Instant } from './instant.js';
import { type Provenance, origin } from './provenance.js';
import type { RepositoryRef } from './repository-name.js';

export interface ReleaseAsset {
  readonly name: string;
  /** What it runs on, if its name says so. */
  readonly platform: string | null;
  /** In bytes. */
  readonly size: number | null;
  readonly url: string;
}

export const MAX_ASSETS = 100;

export interface Release {
  readonly kind: 'release';
  readonly repositoryRef: RepositoryRef;
  /** `owner/name@tag`, encoded by {@link publicId}. */
  readonly id: string;
  readonly tagName: string;
  readonly name: string;
  readonly body: string;
  readonly platform: string | null;
  /** `stable`, `prerelease`, `rc`, `beta`, `alpha`, `nightly`; other values may be added. */
  readonly releaseType: string;
  readonly publishedAt: Instant;
  readonly sourceUrl: string;
  /** As its forge lists them; at most {@link MAX_ASSETS}. Absent: no source tells. */
  readonly assets?: readonly ReleaseAsset[] | undefined;
  readonly provenance: Provenance;
}

/** The known values of `releaseType`. */
export const RELEASE_TYPES = ['stable', 'prerelease', 'rc', 'beta', 'alpha', 'nightly'] as const;
const RELEASE_URL = 'https://github.com/acme/widget/releases/tag/v2.1.0';

const asset = part<ReleaseAsset>(
  'name and url',
  {
    name: text('short', 'Name of the file.', 'widget-linux-x64.tar.gz'),
    platform: nullable(text('word', 'What it runs on, if its name says so.', 'linux')),
    size: nullable(whole('Its size in bytes; `null` if that is not known.', 4_200_000)),
    url: text('url', 'Where it is.', `${RELEASE_URL.replace('/tag/', '/download/')}/widget-linux-x64.tar.gz`),
  },
  'A file.',
);

export const RELEASE_FACTS = {
  plural: 'releases',
  ownership: 'always',
  reader: 'record',
  times: ['publishedAt'],
  filters: { platform: 'platform', releaseType: 'releaseType' },
  searched: { name: 'title', tagName: 'title', body: 'text', 'repository.fullName': 'text' },
  sent: ['tagName', 'name', 'body', 'platform', 'releaseType', 'publishedAt', 'repository', 'sourceUrl', 'provenance', 'id', 'assets', 'href'],
  fields: {
    repositoryRef: ownRepository,
    id: leftOut('derived', text('id', 'Stable public id: `owner/name@tag`.', 'acme/widget@v2.1.0')),
    tagName: text('tag', 'Tag of the release.', 'v2.1.0'),
    name: text('line', 'Name of the release.', 'Widget 2.1.0'),
    body: leftOut('blank', text('body', 'Text of the release, usually Markdown.', '### Fixed\n- Stable cursors')),
    platform: nullable(text('word', 'Platform that it is for; `null` when for all.', 'linux'), null),
    releaseType: text('word', 'Maturity of the release.', 'stable', RELEASE_TYPES),
    publishedAt: time('When it was published.', '2026-11-18T09:00:00.000Z'),
    sourceUrl: text('url', 'Public address of the release.', RELEASE_URL),
    assets: optional(list('files', asset, 'The files of the release. Absent: no source tells.', MAX_ASSETS)),
    provenance: origin,
  },
} as const satisfies KindFacts<Release>;
