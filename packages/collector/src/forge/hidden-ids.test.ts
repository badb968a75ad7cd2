import { hiddenIdOfSource } from './hidden-ids.js';

describe('hiddenIdOfSource', () => {
  it('is the id of the record with which a source of a forge hides its repository, and nothing for other sources', () => {
    expect(hiddenIdOfSource('gitlab:acme/widget')).toEqual(['configuration:hidden:acme/widget']);
    expect(['git:acme/widget', 'github:', 'feed:acme/widget'].flatMap(hiddenIdOfSource)).toEqual([]);
  });
});
