import type { Video } from '../domain/content/video.js';
import type { ApprovedRepositories } from '../policies/allowlist.js';
import type { ReadContext } from './read-context.js';
import type { TimeListQuery, TimePage } from './time-list.js';

/** `null` means any. */
export interface VideoQuery extends TimeListQuery {
  /** Compared with `provenance.source`. */
  readonly source: string | null;
}

export interface VideoReader {
  list(approved: ApprovedRepositories, query: VideoQuery, context: ReadContext): Promise<TimePage<Video>>;
  /** If two approved repositories use the same id, the record of the repository whose name sorts first. */
  byId(approved: ApprovedRepositories, id: string, context: ReadContext): Promise<Video | null>;
}
