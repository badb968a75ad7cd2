import type { Video } from '../../domain/content/video.js';
import type { WithOptionalRepository } from '../../domain/repositories/repository.js';
import type { VideoReader } from '../../ports/video-reader.js';
import type { Answer } from '../shared/answer.js';
import type { IdInput, ScopedRecords } from '../shared/scoped-records.js';
import type { UseCaseContext } from '../shared/use-case-context.js';

/** One video by its public id. */
export class GetVideo {
  readonly #videos: VideoReader;
  readonly #records: ScopedRecords;

  constructor(videos: VideoReader, records: ScopedRecords) {
    this.#videos = videos;
    this.#records = records;
  }

  async execute({ id }: IdInput, context: UseCaseContext): Promise<Answer<WithOptionalRepository<Video>>> {
    return this.#records.one('video', await this.#videos.byId(context.approved, id, context), context);
  }
}
