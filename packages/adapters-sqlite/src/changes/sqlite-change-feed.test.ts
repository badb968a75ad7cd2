import { SqliteDatabase } from '../database/sqlite-database.js';
import { CHANGE_TABLES, SqliteChangeFeed } from './sqlite-change-feed.js';

it('wakes many followers in time in proportion to their number', async () => {
  const database = new SqliteDatabase(':memory:');
  database.exec(CHANGE_TABLES);
  const feed = new SqliteChangeFeed(database);
  const ask = (position: string | null) => feed.changesSince(position, { limit: 1, waitMs: 60_000 }, new AbortController());
  const { position } = await ask(null);
  const waiting = Array.from({ length: 8_000 }, () => ask(position));
  const before = process.cpuUsage();
  feed.written();
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
  feed.close();
  await Promise.allSettled(waiting);
  database.close();
});
