import { NotFoundError } from '../../kinds/domain-error.js';
import { IMAGE_NAME, type Image } from '../../kinds/image.js';
import { NO_REPOSITORY } from '../../kinds/repository-name.js';
import type { Repository } from '../../kinds/repository.js';
import type { RecordReader } from '../../ports/readers.js';
import type { Answer, UseCaseContext } from '../shared/answer.js';
import type { IdInput, ScopedRecords } from '../shared/records.js';
import { byId, withPermission } from '../shared/arguments.js';

/** An image, and the repository of its article. */
export interface ImageView {
  readonly record: Image;
  readonly repository: Repository | null;
}

/** An image of an article, as long as the article may be shown. Its freshness is that of articles. */
export class GetImage {
  readonly takes = withPermission<IdInput>(byId);

  constructor(
    private readonly images: RecordReader<'image'>,
    private readonly articles: RecordReader<'article'>,
    private readonly records: ScopedRecords,
  ) {}

  async execute({ id }: IdInput, context: UseCaseContext): Promise<Answer<ImageView>> {
    const record = IMAGE_NAME.test(id) ? await this.images.byId(context.approved, id, context) : null;
    if (record === null) throw new NotFoundError();
    const { repositoryRef } = record;
    // Another repository may have an article of the same id.
    const approved = repositoryRef === NO_REPOSITORY ? context.approved : context.approved.only(repositoryRef);
    const article = await this.articles.byId(approved, record.articleId, context);
    const { data, ...freshness } = await this.records.one('article', article, context);
    if (data.record.repositoryRef !== repositoryRef) throw new NotFoundError();
    return { ...freshness, data: { record, repository: data.repository } };
  }
}
