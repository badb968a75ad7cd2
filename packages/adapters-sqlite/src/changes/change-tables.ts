/**
 * What was written, in the order of the transactions. Every row is written in the transaction that it tells of. `at` is the time of the writer in milliseconds: beside the
 * number, it shows whether a position belongs to this file or to a later state of it that was lost.
 */
export const CHANGE_TABLES = `
create table incarnation (id text not null) strict;
insert into incarnation values (lower(hex(randomblob(16))));
create table change (
  number integer primary key autoincrement,
  at integer not null,
  operation text not null,
  kind text not null,
  key text,
  ref text,
  service text,
  day integer,
  sync text
) strict;
drop table last_batch;
`;

/** A copy of the store is another store: what is written to it does not continue what was written to the original. */
export const NEW_INCARNATION_SQL = 'update incarnation set id = lower(hex(randomblob(16)))';
