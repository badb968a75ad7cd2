import { UnavailableError } from '@vitrine/core';
import { MongoNetworkError, MongoServerError, MongoServerSelectionError, type TopologyDescription } from 'mongodb';
import { addressError, MongoStoreError, toMongoStoreError } from './mongo-store-error.js';

const noneOf = (setName: string | null) =>
  new MongoServerSelectionError('Server selection timed out after 800 ms', { setName, error: null } as TopologyDescription);
const unread = (cause: unknown) => Object.assign(new UnavailableError('The database cannot be reached or did not answer in time.'), { cause });
const sentenceOf = (error: unknown) => toMongoStoreError(error, 'a.example,b.example')?.message;

describe('toMongoStoreError', () => {
  it.each([
    [
      new MongoNetworkError('connect ECONNREFUSED 10.0.0.1:27017'),
      'MongoDB at a.example,b.example cannot be reached: connect ECONNREFUSED 10.0.0.1:27017. Start it, or correct the connection string.',
    ],
    [
      Object.assign(new Error('Timed out while checking out a connection from connection pool'), { name: 'MongoWaitQueueTimeoutError' }),
      'MongoDB at a.example,b.example cannot be reached: Timed out while checking out a connection from connection pool. Start it, or correct the connection string.',
    ],
    [
      Object.assign(new Error('querySrv ENOTFOUND _mongodb._tcp.a.example'), { code: 'ENOTFOUND', syscall: 'querySrv' }),
      'MongoDB at a.example,b.example cannot be reached: querySrv ENOTFOUND _mongodb._tcp.a.example. Start it, or correct the connection string.',
    ],
    [
      noneOf('rs9'),
      'MongoDB at a.example,b.example cannot be reached: no member of the replica set "rs9" that fits answered in time. Start it, or correct the connection string.',
    ],
    [
      noneOf(null),
      'MongoDB at a.example,b.example cannot be reached: no member that fits answered in time. Start it, or correct the connection string.',
    ],
    [
      new MongoServerError({ message: 'Authentication failed.', code: 18 }),
      'MongoDB at a.example,b.example does not take this user with this password. Correct them in the connection string.',
    ],
    [
      new MongoServerError({ message: 'not primary', code: 10_107, errorLabels: ['RetryableWriteError'] }),
      'MongoDB at a.example,b.example cannot be reached: not primary. Start it, or correct the connection string.',
    ],
    [
      new MongoServerError({ message: 'operation was interrupted', code: 11_602 }),
      'MongoDB at a.example,b.example cannot be reached: operation was interrupted. Start it, or correct the connection string.',
    ],
    [
      unread(new MongoServerError({ message: 'not authorized on team to execute command { find: "syncs" }', code: 13 })),
      'MongoDB at a.example,b.example refuses: not authorized on team. The user needs the role read to serve and export, readWrite for everything else.',
    ],
    [
      unread(new MongoNetworkError('connection 2 closed')),
      'MongoDB at a.example,b.example cannot be reached: connection 2 closed. Start it, or correct the connection string.',
    ],
    [
      unread(new MongoServerError({ message: 'no space for { secret: 1 }', code: 14_031, codeName: 'OutOfDiskSpace' })),
      'MongoDB at a.example,b.example could not carry out an operation: OutOfDiskSpace. Its log says why.',
    ],
    [
      unread(new MongoServerError({ message: 'bad hint', code: 2 })),
      'MongoDB at a.example,b.example could not carry out an operation: code 2. Its log says why.',
    ],
  ])('says what is wrong and how to fix it: %s', (error, sentence) => {
    expect(sentenceOf(error)).toBe(sentence);
  });

  it('does not repeat the rejected command, which contains records', () => {
    const error = new MongoServerError({
      message: 'not authorized on team to execute command { insert: "commits", documents: [ { secret: 1 } ] }',
      code: 13,
    });
    expect(sentenceOf(error)).toBe(
      'MongoDB at a.example,b.example refuses: not authorized on team. The user needs the role read to serve and export, readWrite for everything else.',
    );
  });

  it('returns a MongoStoreError unchanged, and ignores other errors', () => {
    const known = new MongoStoreError('unreachable', 'it is away');
    expect(toMongoStoreError(known, 'a.example')).toBe(known);
    for (const other of [new TypeError('x is not a function'), new MongoServerError({ message: 'bad hint', code: 2 }), unread('text'), 'text']) {
      expect(toMongoStoreError(other, 'a.example')).toBeNull();
    }
  });
});

describe('addressError', () => {
  it('is one line', () => {
    expect(addressError(new Error('option colour is not supported\n  more')).message).toBe(
      'The connection string of MongoDB cannot be used: option colour is not supported.',
    );
  });
});
