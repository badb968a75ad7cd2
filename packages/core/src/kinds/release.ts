import { leftOut, list, nullable, optional, ownRepository, part, text, time, whole } from './fields.js';
import type { KindFacts, Field, WithFields } from './fields.js';
import { origin } from './provenance.js';

export const MAX_ASSETS = 100;

/** The known values of `releaseType`. */
export const RELEASE_TYPES = ['stable', 'prerelease', 'rc', 'beta', 'alpha', 'nightly'] as const;
const RELEASE_URL = 'https://github.com/acme/widget/releases/tag/v2.1.0';

const assetFields = {
  name: text('short', 'Name of the file.', 'widget-linux-x64.tar.gz'),
  /** What it runs on, if its name says so. */
  platform: nullable(text('word', 'What it runs on, if its name says so.', 'linux')),
  /** In bytes. */
  size: nullable(whole('Its size in bytes; `null` if that is not known.', 4_200_000)),
  url: text('url', 'Where it is.', `${RELEASE_URL.replace('/tag/', '/download/')}/widget-linux-x64.tar.gz`),
};
export interface ReleaseAsset extends WithFields<typeof assetFields> {}
const asset: Field<ReleaseAsset> = part('name and url', assetFields, 'A file.');

const fields = {
  repositoryRef: ownRepository,
  /** `owner/name@tag`, encoded by {@link publicId}. */
  id: leftOut('derived', text('id', 'Stable public id: `owner/name@tag`.', 'acme/widget@v2.1.0')),
  tagName: text('tag', 'Tag of the release.', 'v2.1.0'),
  name: text('line', 'Name of the release.', 'Widget 2.1.0'),
  body: leftOut('blank', text('body', 'Text of the release, usually Markdown.', '### Fixed\n- Stable cursors')),
  platform: nullable(text('word', 'Platform that it is for; `null` when for all.', 'linux'), null),
  /** One of {@link RELEASE_TYPES}; other values may be added. */
  releaseType: text('word', 'Maturity of the release.', 'stable', RELEASE_TYPES),
  publishedAt: time('When it was published.', '2026-11-18T09:00:00.000Z'),
  sourceUrl: text('url', 'Public address of the release.', RELEASE_URL),
  /** As its forge lists them; at most {@link MAX_ASSETS}. Absent: no source tells. */
  assets: optional(list('files', asset, 'The files of the release. Absent: no source tells.', MAX_ASSETS)),
  provenance: origin,
};

export interface Release extends WithFields<typeof fields> {
  readonly kind: 'release';
}

export const RELEASE_FACTS = {
  plural: 'releases',
  ownership: 'always',
  reader: 'record',
  times: ['publishedAt'],
  filters: { platform: 'platform', releaseType: 'releaseType' },
  searched: { name: 'title', tagName: 'title', body: 'text', 'repository.fullName': 'text' },
  sent: ['tagName', 'name', 'body', 'platform', 'releaseType', 'publishedAt', 'repository', 'sourceUrl', 'provenance', 'id', 'assets', 'href'],
  fields,
} as const satisfies KindFacts<Release>;
