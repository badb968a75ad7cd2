import { MongoStoreError } from '@vitrine/adapters-mongo';
import { pino } from 'pino';
import { ConnectionLog } from './store-log.js';

describe('ConnectionLog', () => {
  it('logs a reason that lasts once, another reason and the end, and makes an error of what stays wrong by itself', () => {
    const lines: unknown[] = [];
    const logger = pino({ base: null, timestamp: false }, { write: (line: string) => lines.push(JSON.parse(line)) });
    const log = new ConnectionLog('db.example', logger);
    for (let attempt = 0; attempt < 1_000; attempt++) log.failed(new MongoStoreError('unreachable', 'not there'));
    log.failed(new MongoStoreError('credentials', 'not this password'));
    log.connected();
    log.failed(new MongoStoreError('credentials', 'not this password'));
    expect(lines).toMatchObject([
      { level: 40, problem: 'not there' },
      { level: 50, problem: 'not this password' },
      { level: 30, hosts: 'db.example', msg: 'connected to MongoDB' },
      { level: 50, problem: 'not this password' },
    ]);
  });
});
