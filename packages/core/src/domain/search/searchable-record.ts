import type { Article } from '../content/article.js';
import type { News } from '../content/news.js';
import type { Commit } from '../development/commit.js';
import type { Finding } from '../development/finding.js';
import type { Release } from '../development/release.js';
import type { RepositoryRecord } from '../repositories/repository.js';
import type { Service } from '../status/service.js';
import type { Mission } from '../work/mission.js';

export type SearchableRecord = Commit | Release | Finding | RepositoryRecord | News | Article | Service | Mission;
