import { countedFurther, namesFurther } from './choices.model.ts';
import type { Database, SqliteConnection, SqliteStatement } from '#platform/database.ts';
import { addVotesSql, figuresSql, unchangedTotalsSql } from './statistics.service.ts';
import { NewSecrets } from './receipts.ts';
import {
  ballotsOf,
  batchJson,
  batchResult,
  countersJson,
  forCircumstances,
  hasCircumstances,
  openOwnConnection,
  recordedVoteLimits,
  storedTimeSql,
  traitsSql,
} from './vote-batch.ts';
import type { BatchRow, BatchWriter } from './vote-batch.ts';
import { recordVotesSql } from './vote-events.queries.ts';

/**
 * One statement is one batch: inserting a row into this temporary view runs the whole trigger, and SQLite commits (and
 * syncs) at the end of the statement. See handbook decision 050.
 *
 * `ids.base` is the highest id before the batch; the vote at index n gets the id base + 1 + n, so a vote is recorded if
 * and only if a row with its id exists. Ids of deleted votes are not used again: the log of votes has read them.
 */
const instructions = (shard: number) => `
  create temp table ids (base integer not null);
  insert into ids values (0);
  create temp view vote_batch as select
    null as batch, null as size, null as touched, null as moment, null as counters, null as marks, null as secrets,
    null as has_members, null as has_further, null as has_circumstances;

  create temp trigger record_votes instead of insert on vote_batch
  begin
    update ids set base = max(
      (select coalesce(max(id), 0) from votes), coalesce((select seq from sqlite_sequence where name = 'votes'), 0)
    );

    insert into ballot_secrets (ballot_key, secret, after_id)
    select b.key, s.value ->> 1,
      -- The first votes may have come before there were secrets.
      case when b.total_votes + b.set_aside_votes > b.base_votes then 0 else (select base from ids) end
    from json_each(new.secrets) s cross join ballots b on b.id = s.value ->> 0
    where b.is_active and b.closed_at is null and b.erased_at is null
      and b.starts_at <= new.moment and (b.ends_at is null or b.ends_at > new.moment)
    on conflict do nothing;

    insert into votes (
      id, ballot_key, option_key, device, cookie, user_id, created_at, network, traits, nonce, further_options
    )
    select (select base from ids) + 1 + v.key, b.key, o.key, unhex(v.value ->> 3), unhex(v.value ->> 4),
      -- The vote of an account deleted in the meantime is recorded without one.
      (select id from users where id = v.value ->> 5), ${storedTimeSql('new.moment')}, v.value ->> 6,
      iif(new.has_circumstances, ${traitsSql('(v.value ->> 7)')}, v.value ->> 7),
      unhex(v.value ->> 9),
      case when new.has_further and b.max_choices > 1 and v.value -> 10 is not null then (
        select ',' || group_concat(f.key, ',' order by j.key) || ','
        from json_each(v.value -> 10) j join ballot_options f on f.ballot_id = b.id and f.option_id = j.value
      ) end
    from jsonb_each(new.batch) v
    cross join ballots b on b.id = v.value ->> 0
    cross join ballot_options o on o.ballot_id = b.id and o.option_id = v.value ->> 1
    where o.offered and b.kind = v.value ->> 2 and b.is_active and b.closed_at is null
      and b.protection <= v.value ->> 8
      and b.starts_at <= new.moment and (b.ends_at is null or b.ends_at > new.moment)
      and case when not new.has_further or v.value -> 10 is null then b.min_choices = 1 else
        1 + json_array_length(v.value -> 10) between b.min_choices and b.max_choices and not exists (
          select 1 from json_each(v.value -> 10) j
          left join ballot_options f on f.ballot_id = b.id and f.option_id = j.value and f.offered
          where f.key is null
        )
      end
    on conflict do nothing;

    insert into attempts (key, used, resets_at)
    select value ->> 0, value ->> 1, value ->> 2 from json_each(new.counters) where true
    on conflict (key) do update set used = used + excluded.used;
    ${recordedVoteLimits.map((_, level) => removeExcess(level)).join('')}
    update attempts set used = used + recorded.count
    from (
      select m.value ->> 2 as key, count(*) as count
      from json_each(new.marks) m cross join votes v on v.id = (select base from ids) + 1 + (m.value ->> 0)
      group by m.value ->> 2
    ) recorded
    where attempts.key = recorded.key;

    ${recordVotesSql(true, '(select * from votes not indexed where new.has_members and id > (select base from ids) and user_id is not null)')};

    update ballot_options set votes = votes + recorded.count
    from (
      select option_key, count(*) as count
      from votes not indexed where id > (select base from ids) group by option_key
    ) recorded
    where ballot_options.key = recorded.option_key;

    update ballot_options set
      ${forCircumstances(({ column }) => `${column} = ballot_options.${column} + recorded.${column}`)}
    from (
      select option_key,
        ${forCircumstances(({ column, trait }) => `sum(traits & ${trait} <> 0) as ${column}`)}
      from votes not indexed where new.has_circumstances and id > (select base from ids) group by option_key
    ) recorded
    where ballot_options.key = recorded.option_key;

    update ballot_options set votes = votes + recorded.count
    from (
      select f.key, count(*) as count
      from ${countedFurther(
        '(select * from votes not indexed where new.has_further and id > (select base from ids) and further_options is not null)',
      )}
      group by f.key
    ) recorded
    where ballot_options.key = recorded.key;

    update ballots set total_votes = total_votes + recorded.count
    from (
      select ballot_key, count(*) as count
      from votes not indexed where id > (select base from ids) group by ballot_key
    ) recorded
    where ballots.key = recorded.ballot_key;

    ${addVotesSql(
      `select coalesce(sum(recorded.count), 0)
        from (
          select ballot_key, count(*) as count
          from votes not indexed where id > (select base from ids) group by ballot_key
        ) recorded
        cross join ballots b on b.key = recorded.ballot_key
        where b.listed and b.in_totals`,
      `select count(*) from votes v not indexed
        where v.id > (select base from ids)
          and not exists (select 1 from votes w where w.device = v.device and w.id < v.id)
          and not exists (select 1 from votes w where w.cookie = v.cookie and w.id < v.id)
          and not exists (select 1 from voters where digest = v.device)
          and not exists (select 1 from voters where digest = v.cookie)`,
      shard,
    )};
  end;
`;

/** Removes the votes that exceed a counter of this level. */
const removeExcess = (level: number) => `
    delete from votes where id in (
      select ranked.id from (
        select v.id, m.value ->> 2 as key, m.value ->> 3 as points,
          row_number() over (partition by m.value ->> 2 order by v.id) as place
        from json_each(new.marks) m cross join votes v on v.id = (select base from ids) + 1 + (m.value ->> 0)
        where m.value ->> 1 = ${level}
      ) ranked cross join attempts a on a.key = ranked.key
      where a.used + ranked.place > ranked.points
    );
`;

// The sub-queries of RETURNING run after the trigger, inside the same transaction.
const recordBatch = `
  insert into vote_batch (
    batch, size, touched, moment, counters, marks, secrets, has_members, has_further, has_circumstances
  )
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning
  (
    select json_group_array(json_array(
      b.id, b.kind, b.is_active, b.starts_at, b.ends_at, b.closed_at, b.total_votes, b.protection,
      (select secret from ballot_secrets where ballot_key = b.key),
      (select json_array(key, results) from vote_logs where ballot_key = b.key),
      (select updated_at from polls where polls.id = b.id),
      json_array(b.method, b.min_choices, b.max_choices),
      (
        -- An index has this order; an aggregate function would sort again.
        select json_group_array(json_array(option_id, votes, offered))
        from (select option_id, votes, offered from ballot_options where ballot_id = b.id order by position)
      )
    ))
    from ballots b where b.id in (select value from json_each(touched))
  ) as tallies,
  iif((select count(*) from votes where id > (select base from ids)) = size, '[]', (
    select json_group_array(json_array(
      v.key, o.option_id, lower(hex(w.device)), lower(hex(w.cookie)),
      iif(w.nonce is null, null, lower(hex(w.nonce))), w.created_at, w.traits is not null,
      case when w.further_options is not null then (
        select json_group_array(f.option_id order by instr(w.further_options, ',' || f.key || ','))
        from ballot_options f where f.ballot_id = b.id and ${namesFurther('w', 'f.key')}
      ) end
    ))
    from json_each(batch) v
    left join ballots b on b.id = v.value ->> 0
    left join votes w on w.id = coalesce(
      (select id from votes where ballot_key = b.key and device = unhex(v.value ->> 3)),
      (select id from votes where ballot_key = b.key and cookie = unhex(v.value ->> 4)),
      (select id from votes where ballot_key = b.key and user_id = v.value ->> 5)
    )
    left join ballot_options o on o.key = w.option_key
    where not exists (select 1 from votes where id = (select base from ids) + 1 + v.key)
  )) as refusals,
  (
    select json_object(${figuresSql('moment')
      .map(([name, sql]) => `'${name}', ${sql}`)
      .join()}) from statistics
  ) as statistics,
  (
    select json_group_array(json_array(key, used)) from attempts
    where key in (select value ->> 0 from json_each(counters))
  ) as used
`;

/** Opens a separate connection for votes, so that votes and reads do not wait for each other. */
export async function openSqliteWriter(db: Database, shard: number): Promise<BatchWriter> {
  const own = await openOwnConnection(db);
  const connection = own.connection as SqliteConnection;
  await settled((done) => connection.exec(instructions(shard), done));
  let statement!: SqliteStatement;
  await settled((done) => (statement = connection.prepare(recordBatch, done)));
  const secrets = new NewSecrets();

  return {
    record: (batch, now, rejections) =>
      new Promise((done, failed) => {
        const { counters, marks } = countersJson(batch, rejections);
        const touched = ballotsOf(batch);
        const values = [
          ...[batchJson(batch), batch.length, JSON.stringify(touched), now],
          ...[counters, marks, secrets.offer(touched, now)],
          // What no vote of the batch has is not looked for in its rows.
          ...[batch.some(({ voter }) => voter.userId !== null), batch.some(({ further }) => further !== undefined)],
          batch.some(hasCircumstances),
        ];
        // `all` runs the statement to its end, where SQLite commits; `get` would stop at the row before.
        statement.all(values, (error: Error | null, rows: BatchRow[]) => {
          const [row] = rows ?? [];
          if (error || !row) {
            failed(error ?? new Error('SQLite returned no row for a batch of votes.'));
            return;
          }
          const result = batchResult(row);
          secrets.learn(result.tallies, now);
          done(result);
        });
      }),
    testWrite: () => settled((done) => connection.exec(unchangedTotalsSql(shard), done)),
    async close() {
      await settled((done) => statement.finalize(done));
      await own.close();
    },
  };
}

function settled(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((done, failed) => {
    start((error) => {
      if (error) failed(error);
      else done();
    });
  });
}
