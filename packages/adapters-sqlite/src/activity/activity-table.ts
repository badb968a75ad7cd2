/**
 * The numbers of commits and releases by UTC day. A row holds several days of one repository in one value, because adding up a row for each day of a
 * thousand repositories takes ten times as long. The last statement counts the records of a file of format 1.
 */
export const ACTIVITY_TABLE = `
create table activity (
  kind text not null,
  scope integer not null,
  part integer not null,
  counts blob not null,
  primary key (kind, scope, part)
) strict, without rowid;
insert into activity (kind, scope, part, counts)
  select kind, scope, (day - ((day % 64) + 64) % 64) / 64, unhex(group_concat(printf('%08x%08x', day & 0xffffffff, count), '' order by day))
  from (
    select t.name as kind, l.scope, (l.time - ((l.time % 86400000) + 86400000) % 86400000) / 86400000 as day, count(*) as count
    from list t cross join listing l on l.list = t.id where t.name in ('commit', 'release') group by 1, 2, 3
  ) group by 1, 2, 3;
`;
