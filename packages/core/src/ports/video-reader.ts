import type { Video } from '../domain/content/video.js';
import type { ApprovedRepositories } from '../policies/allowlist.js';
import type { ReadContext } from './read-context.js';
import type { TimeListQuery, TimePage } from './time-list.js';

/** `null` means any. */
export interface VideoQuery extends TimeListQuery {
  /** The label of the origin: `provenance.source`. */
  readonly source: string | null;
}

export interface VideoReader {
  list(approved: ApprovedRepositories, query: VideoQuery, context: ReadContext): Promise<TimePage<Video>>;
  /** Where two approved repositories use one id, the one with the lower name. */
  byId(approved: ApprovedRepositories, id: string, context: ReadContext): Promise<Video | null>;
}
