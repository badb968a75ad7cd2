import { StoreFolderError } from '@vitrine/adapters-sqlite';
import { MongoStoreError } from '@vitrine/adapters-mongo';
import { GitError, OutgoingError, PathError } from '@vitrine/collector';
import { ConfigError } from '@vitrine/config';
import { loggedError } from './logging.js';

describe('loggedError', () => {
  it.each([
    new ConfigError(['vitrine.yaml:1: approved: is empty']),
    new GitError('there is no branch'),
    new PathError('in', 'does not exist'),
    new OutgoingError(new URL('https://acme.example/feed'), 'timeout', 'did not answer'),
    new StoreFolderError('unwritable', '/data', 'the disk is full'),
    new MongoStoreError('unreachable', 'it cannot be reached'),
  ])('logs only the message of a user error: %s', (error) => {
    expect(loggedError(error)).toEqual({ problem: error.message });
  });

  it('gives everything else whole', () => {
    const error = new TypeError('x is not a function');
    expect(loggedError(error)).toEqual({ err: error });
  });
});
