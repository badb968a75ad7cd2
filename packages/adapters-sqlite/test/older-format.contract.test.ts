import { createHash } from 'node:crypto';
import { SqliteDatabase } from '../src/database/sqlite-database.js';
import { FORMAT, prepareDatabase } from '../src/database/open-database.js';
import { bringBack } from './older-format.js';

/** The columns of each table, and those of each index. */
function schemaOf(database: SqliteDatabase) {
  const columns = `select t.name, t.wr, t.strict, c.cid, c.name, c.type, c."notnull", c.pk from pragma_table_list t join pragma_table_info(t.name) c where t.type = 'table'
    and t.name not like 'sqlite_%'`;
  const indexes = `select t.name, i."unique", i.origin, i.partial, c.seqno, c.name, c."desc" from pragma_table_list t join pragma_index_list(t.name) i
    join pragma_index_xinfo(i.name) c where t.type = 'table'`;
  const keys = 'select t.name, k."table", k."from", k."to" from pragma_table_list t join pragma_foreign_key_list(t.name) k';
  return [columns, indexes, keys].map((sql) =>
    database
      .rows(sql)
      .map((row) => row.join(' '))
      .sort(),
  );
}

it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])('a file of format %i gets the tables and indexes of a new one', (format) => {
  const [fresh, older] = [new SqliteDatabase(':memory:'), new SqliteDatabase(':memory:')];
  prepareDatabase(fresh);
  prepareDatabase(older);
  bringBack(older, format);
  prepareDatabase(older);
  expect(schemaOf(older)).toEqual(schemaOf(fresh));
  fresh.close();
  older.close();
});

it('a change of the tables of a new file needs an entry in MIGRATIONS, and its opposite in older-format.ts', () => {
  const fresh = new SqliteDatabase(':memory:');
  prepareDatabase(fresh);
  const digest = createHash('sha256')
    .update(JSON.stringify(schemaOf(fresh)))
    .digest('hex')
    .slice(0, 8);
  expect([FORMAT, digest]).toEqual([13, 'cba3781b']);
  fresh.close();
});
