import * as config from '@vitrine/config';
import type { SourceKinds } from '@vitrine/config/internal';
import { articlesSchema, changelogSchema } from '../sources/documents/files-schema.js';
import { feedSchema, videoSchema } from '../sources/feed/feed-schema.js';
import { FORGE_SCHEMAS } from '../sources/forge/forge-schema.js';
import { gitSchema } from '../sources/git/git-schema.js';
import { incidentsSchema } from '../sources/incidents/incidents-schema.js';
import { recordsSchema } from '../sources/records/records-schema.js';
import { statuspageSchema } from '../sources/statuspage/statuspage-schema.js';

const KINDS: SourceKinds = {
  git: gitSchema,
  ...FORGE_SCHEMAS,
  records: recordsSchema,
  feed: feedSchema,
  video: videoSchema,
  articles: articlesSchema,
  changelog: changelogSchema,
  incidents: incidentsSchema,
  statuspage: statuspageSchema,
};

/** The configuration of a text, with the kinds of sources that this package has. See `loadConfig` of `@vitrine/config`. */
export function loadConfig(input: config.ConfigInput): config.Config {
  return config.loadConfig(input, KINDS);
}

/** The configuration of the file that the environment names. See `readConfig` of `@vitrine/config`. */
export function readConfig(env: config.Environment): Promise<config.Config> {
  return config.readConfig(env, KINDS);
}
