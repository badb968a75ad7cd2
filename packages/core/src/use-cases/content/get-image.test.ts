import { Allowlist, MINUTE, NotFoundError } from '@vitrine/core';
import { anArticle, anImage, aRepositoryRecord, NOW } from '@vitrine/core/testing';
import { fakeReaders } from '../../../test/fake-readers.js';
import { useCasesOver, widgetOnly } from '../../../test/fake-use-cases.js';

const ID = anImage().id;
const hidden = 'acme/secret';

describe('an image', () => {
  it('is shown beside the repository of its article', async () => {
    const { getImage } = useCasesOver(fakeReaders([anArticle(), anImage()]));
    expect(await getImage.execute({ id: ID }, widgetOnly)).toMatchObject({
      data: { record: { id: ID }, repository: { fullName: 'Acme/Widget' } },
      dataStatus: 'unknown',
    });
  });

  it('is that of its own article, beside one of another repository with the same id', async () => {
    const records = [anArticle({ repositoryRef: 'acme/gadget' }), anArticle(), anImage(), aRepositoryRecord({ repositoryRef: 'acme/gadget' })];
    const { getImage } = useCasesOver(fakeReaders(records));
    const context = { ...widgetOnly, approved: Allowlist.of('acme/gadget', 'acme/widget').approved() };
    expect((await getImage.execute({ id: ID }, context)).data.record.repositoryRef).toBe('acme/widget');
  });

  it.each([
    ['without its article', [anImage()], ID],
    ['of an article that is not due', [anArticle({ publishedAt: NOW + 10 * MINUTE }), anImage()], ID],
    ['of a hidden repository', [anArticle({ repositoryRef: hidden }), anImage({ repositoryRef: hidden })], ID],
    ['of a hidden repository beside an article with the same id', [anArticle(), anImage({ repositoryRef: hidden })], ID],
    ['with another name', [anArticle(), anImage({ id: 'x.svg' })], 'x.svg'],
  ])('%s is not found, even if readers forget the allowlist', async (_, records, id) => {
    for (const leaky of [false, true]) {
      const { getImage } = useCasesOver(fakeReaders(records, { leaky }));
      await expect(getImage.execute({ id }, widgetOnly)).rejects.toThrow(NotFoundError);
    }
  });
});
