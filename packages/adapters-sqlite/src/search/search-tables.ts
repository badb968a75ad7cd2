/**
 * The tables of the search index. `search_words` holds the words of each entry, under the place of the entry as its rowid. Words are read only to be compared, so the
 * table stores no text (`content=''`) and no positions (`detail=none`). The prefixes include the letter before each word, so they stand for two to five letters.
 * FTS5 merges its segments only when there are eight of about the same size, because with four writing takes a tenth longer.
 */
export const ENTRY_TABLES = `
create virtual table search_words using fts5 (
  words, content = '', contentless_delete = 1, tokenize = 'ascii', detail = none, prefix = '3 4 5 6'
);
insert into search_words (search_words, rank) values ('automerge', 8);
create virtual table search_terms using fts5vocab (search_words, instance);
create table search_entry (
  place integer primary key,
  record integer not null unique references record (id) deferrable initially deferred
) strict;
create table search_scope (ref text primary key, is_complete integer not null) strict, without rowid;
create table search_state (is_limited integer not null, is_swept integer not null) strict;
insert into search_state values (0, 1);
`;

/** The tables of the index of an embedded store. */
export const SEARCH_TABLES = `${ENTRY_TABLES}create table search_renamed (scope integer primary key references scope (id), done integer not null) strict;
create index record_scope on record (scope);
`;
