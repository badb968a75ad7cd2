import type { Video } from '../../domain/content/video.js';
import type { WithOptionalRepository } from '../../domain/repositories/repository.js';
import type { TimePosition } from '../../domain/shared/page.js';
import type { VideoReader } from '../../ports/video-reader.js';
import type { PageAnswer } from '../shared/answer.js';
import type { ScopedListInput, ScopedRecords } from '../shared/scoped-records.js';
import type { UseCaseContext } from '../shared/use-case-context.js';

/** `null` means any. */
export interface ListVideosInput extends ScopedListInput {
  /** The label of the origin. */
  readonly source: string | null;
}

/** Public videos, newest first. */
export class ListVideos {
  readonly #videos: VideoReader;
  readonly #records: ScopedRecords;

  constructor(videos: VideoReader, records: ScopedRecords) {
    this.#videos = videos;
    this.#records = records;
  }

  execute(input: ListVideosInput, context: UseCaseContext): Promise<PageAnswer<WithOptionalRepository<Video>, TimePosition>> {
    const { source } = input;
    return this.#records.page('video', input, context, (approved, range) => this.#videos.list(approved, { ...range, source }, context));
  }
}
