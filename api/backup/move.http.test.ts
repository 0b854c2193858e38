import { hash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { SearchPage } from '#api/search/search.contract.ts';
import { sqlitePath } from '#platform/config.ts';
import { applyMigrations, knownMigrations, openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { ask, castVote, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { emptyPlaces, runCommandOn, startCommand } from '#api/testing/empty-places.ts';
import type { Place } from '#api/testing/empty-places.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { pngFile } from '#api/testing/picture-files.ts';
import { slow } from '#api/testing/slow.ts';
import { registered, visitor } from '#api/testing/people.ts';
import { runCommandHere } from '#api/testing/run-command.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { seedText } from '#api/testing/texts.ts';
import type { TableLayout } from './copy-lines.ts';
import { continueSequences } from './backup.queries.ts';
import { copyLines, postgresLayout, postgresLines, truncate } from './move-postgres.queries.ts';
import { insertLines, sqliteLines } from './move-sqlite.queries.ts';
import { moveDatabase } from './move.service.ts';

const empty = emptyPlaces();

/** Texts that COPY's text format, or a careless reader of it, could change. */
const hostile = [
  ...['\\N', '\\.', '\\', 'C:\\new\\table', '\\x41', '\\\\x41', ''],
  ...['tab\there', 'line\nbreak', 'return\r\n', '\b\f\v\u0001\u007f', ' spaces ', 'it\'s "quoted"'],
  ...['Größe 🌬️', '\u2028\u{10ffff}', 'null', '{"a":[1]}', '$1 ? ?? :name'],
];

/** Opens the database of a place for the duration of `use`. */
async function withDatabase<Result>(url: string, use: (db: Database) => Promise<Result>): Promise<Result> {
  const db = openDatabase(url);
  return use(db).finally(() => db.destroy());
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Columns that PostgreSQL generates; SQLite has its own tables instead. */
const generated = ['words', 'head', 'title_words'];

/** Every row of these tables in a format common to both databases. */
async function rowsOf(db: Database, tables: Iterable<string>): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  const plain = (value: unknown) =>
    Buffer.isBuffer(value)
      ? value.toString('hex')
      : typeof value === 'boolean'
        ? Number(value)
        : typeof value === 'string' && uuid.test(value)
          ? value.replaceAll('-', '')
          : value;
  for (const table of tables)
    rows[table] = (await db(table).select<Record<string, unknown>[]>())
      .map((row) => {
        // The engines have some columns in another order.
        const names = Object.keys(row)
          .filter((name) => !generated.includes(name))
          .sort();
        return JSON.stringify(Object.fromEntries(names.map((name) => [name, plain(row[name])])));
      })
      .sort();
  return rows;
}

/** Casts a vote on a weekly poll from a browser. */
const voteOn = (browser: Visitor, pollId: string) =>
  ask(browser, `/api/polls/${pollId}/vote`, 'POST', { optionId: 'o1' });

/** The same browser, on another site. */
function browserOn(app: TestApp, { device, cookies }: Visitor): Visitor {
  const browser = visitor(app);
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  return {
    ...browser,
    device,
    fetch: (path, init) => browser.fetch(path, { ...init, headers: { 'x-device-id': device } }),
  };
}

eachDatabase((open, engine, once) => {
  const other = engine === 'SQLite' ? 'PostgreSQL' : 'SQLite';

  /** A database without connections, and an empty place for the other engine. */
  async function installation(fill: (db: Database, app: TestApp) => Promise<void> = () => Promise.resolve()) {
    const { db, url } = await open();
    await seedPolls(db, [{ id: 'p', question: hostile.join('|'), votes: [3, 4, 5] }]);
    const app = await startTestApp(db);
    await fill(db, app);
    await app.close();
    await db.destroy();
    return { place: { url, dataDir: await empty.folder() }, target: await empty.place(other) };
  }

  const move = (
    from: Place,
    to: Place,
    onProgress: Parameters<typeof moveDatabase>[0]['onProgress'] = () => undefined,
  ) => moveDatabase({ databaseUrl: from.url, target: to.url, onProgress });

  /** Expects that nothing was created. */
  async function expectNothingAt(target: Place) {
    if (other === 'SQLite') expect(await readdir(target.dataDir)).toEqual([]);
    else expect(await withDatabase(target.url, (db) => db('pg_tables').where({ schemaname: 'public' }))).toEqual([]);
  }

  test('a moved site has every row, its members stay signed in, and votes and new ids follow', async () => {
    let anna!: Visitor;
    let pollId = '';
    let badges: unknown;
    let picture = { address: '', content: Buffer.alloc(0) };
    const { place, target } = await installation(async (db, app) => {
      const member = await registered(app, 'anna');
      await seedText(db);
      anna = member;
      pollId = (await made(member, { question: 'Tea \\N or\ttea?' })).id;
      expect((await castVote(member, pollId)).status).toBe(200);
      expect((await voteOn(member, 'p')).status).toBe(200);
      const comments = `/api/community-polls/${pollId}/comments`;
      expect((await ask(member, comments, 'POST', { content: 'Größe 🌬️ \\ back' })).status).toBe(201);
      // The vote on the own poll is counted afterward.
      await expect
        .poll(async () => JSON.stringify((badges = (await ask(member, '/api/user/badges')).body)))
        .toMatch(/"key":"viral_poll"[^}]*"current":1\b|"current":1\b[^}]*"key":"viral_poll"/);
      const headers = { 'content-type': 'image/png' };
      const uploaded = await member.fetch('/api/user/picture', { method: 'POST', body: await pngFile(), headers });
      const { profileImageUrl: address } = (await uploaded.json()) as { profileImageUrl: string };
      picture = { address, content: Buffer.from(await (await app.fetch(address)).arrayBuffer()) };
      expect(picture.content.length).toBeGreaterThan(30);
      await db('attempts').insert(Array.from({ length: 400 }, (_, n) => ({ key: `k${n}`, used: n, resets_at: n })));
      // The id of a deleted row must not be assigned again.
      const event = { type: 'site.published', subject_kind: 'site', at: 1 };
      await db('events').insert([1, 2].map((n) => ({ ...event, subject: `e${n}` })));
      await db('events').where({ subject: 'e2' }).del();
      // Nor the key of a deleted ballot whose votes are still there.
      await db('ballot_deletions').insert({ ballot_key: 77, done_id: 0, last_id: 4 });
    });

    const { code, output, complaint } = await runCommandOn('move', place, target.url);
    expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
    expect(output).toContain('Row counts and checksums of all tables match.');
    expect(output).toContain(
      `\n  DATABASE_URL=${target.url.replace('weathervane@', '****@')}\n  DATA_DIR=${place.dataDir}`,
    );

    const postgres = engine === 'SQLite' ? target : place;
    const tables = (await withDatabase(postgres.url, postgresLayout)).map(({ name }) => name);
    const before = await withDatabase(place.url, (db) => rowsOf(db, tables));
    expect(before.attempts).toHaveLength(400);
    expect(before.comments).toHaveLength(1);
    expect(
      [before.member_pictures, before.content_versions, before.content_images].map((some) => some?.length),
    ).toEqual([1, 1, 1]);
    await withDatabase(target.url, async (db) => {
      expect(await rowsOf(db, tables)).toEqual(before);
      const given = await db('events').max({ id: 'id' }).first<{ id: number }>();
      const app = await startTestApp(db);
      const again = browserOn(app, anna);
      expect((await ask(again, '/api/user')).body).toMatchObject({ username: 'anna' });
      expect((await ask(again, '/api/user/badges')).body).toEqual(badges);
      const shown = await app.fetch(picture.address);
      expect(Buffer.from(await shown.arrayBuffer())).toEqual(picture.content);
      expect((await ask(again, `/api/community-polls/${pollId}`)).body).toMatchObject({ question: 'Tea \\N or\ttea?' });
      expect((await ask<SearchPage>(again, '/api/search?q=teas')).body.results).toMatchObject([
        { path: `/community-polls/${pollId}` },
      ]);
      expect((await voteOn(again, 'p')).status).toBe(409);
      const ben = await registered(app, 'ben');
      expect((await voteOn(ben, 'p')).status).toBe(200);
      expect((await castVote(ben, pollId)).status).toBe(200);
      expect((await ask(ben, '/api/user/activities')).status).toBe(200);
      const { id } = await made(ben);
      expect(await db('ballots').where({ id }).pluck('key')).toEqual([78]);
      await app.close();
      await expectExactCounters(db);
      expect(await db('votes').count({ votes: '*' }).first()).toEqual({ votes: 4 });
      const next = await db('events').orderBy('id').where('id', '>', given.id).pluck('id');
      expect(next[0]).toBeGreaterThan(given.id + 1);
    });
    const doctor = await runCommandHere('doctor', { ...target, dataDir: place.dataDir }, '--json');
    const { findings } = JSON.parse(doctor.output) as { findings: { check: string; level: string }[] };
    for (const check of ['schema', 'rows', 'counters'])
      expect(findings.find((finding) => finding.check === check)).toMatchObject({ level: 'ok' });
  });

  test('a move changes nothing in the database that it copies', slow, async () => {
    const { place, target } = await installation();
    const file = sqlitePath(place.url);
    const everything = async () =>
      file === null
        ? withDatabase(place.url, async (db) =>
            rowsOf(
              db,
              (await postgresLayout(db)).map(({ name }) => name),
            ),
          )
        : [hash('sha256', await readFile(file)), await readdir(join(file, '..'))];
    const before = await everything();
    await move(place, target);
    expect(await everything()).toEqual(before);
  });

  test('any text survives a move', slow, async () => {
    const row = (n: number) => ({
      id: `u${n}`,
      username: `u${n}`,
      username_key: `u${n}`,
      created_at: n,
      updated_at: n,
    });
    const { place, target } = await installation(async (db) => {
      await db('users').insert(hostile.map((text, n) => ({ ...row(n), password: text, profile_image_url: text })));
      await db('users').insert({ ...row(99), password: '', profile_image_url: null });
    });
    await move(place, target);
    await withDatabase(target.url, async (db) => {
      const users = await db('users').orderBy('created_at').select('password', 'profile_image_url');
      expect(users.map((user) => (user as { password: string }).password)).toEqual([...hostile, '']);
      expect(users.map((user) => (user as { profile_image_url: unknown }).profile_image_url)).toEqual([
        ...hostile,
        null,
      ]);
    });
  });

  test('a move refuses a target that is not empty and leaves it unchanged', async () => {
    const { place, target } = await installation();
    const file = sqlitePath(target.url);
    if (file === null) await withDatabase(target.url, (db) => db.raw('create table guests as select 1 as one'));
    else await writeFile(file, 'something else');
    await expect(move(place, target)).rejects.toThrow(/already (has 1 table|exists), and a move never overwrites/);
    if (file === null) expect(await withDatabase(target.url, (db) => db('guests'))).toEqual([{ one: 1 }]);
    else expect(await readFile(file, 'utf8')).toBe('something else');
  });

  test('a move refuses while anything else has the database open', slow, async () => {
    const { place, target } = await installation();
    await withDatabase(place.url, async (db) => {
      await db.raw('select 1');
      // In another process, because SQLite shares locks within one.
      const { code, complaint } = await runCommandOn('move', place, target.url);
      expect({ code, complaint }).toEqual({ code: 1, complaint: expect.stringContaining('The database is in use.') });
    });
    await expectNothingAt(target);
  });

  test('a move that is killed in the middle leaves the target empty, and can be repeated', slow, async () => {
    const { place, target } = await installation(async (db) => {
      const numbers =
        engine === 'SQLite'
          ? `with recursive i (n) as (select 1 union all select n + 1 from i where n < 60000)
               select unhex(printf('%032x', n)) from i`
          : "select lpad(to_hex(n), 32, '0')::uuid from generate_series(1, 60000) as n";
      await db.raw(`insert into voters (digest) ${numbers}`);
    });
    const { answer, kill } = startCommand('move', place, [target.url]);
    let ended = false;
    void answer.then(() => (ended = true));
    const copying = () => withCopyOn(target, other);
    while (!ended && !(await copying())) await pause(5);
    kill();
    expect((await answer).code).not.toBe(0);
    if (other === 'PostgreSQL') await expectNothingAt(target);
    else expect(await readdir(target.dataDir)).toEqual([expect.stringMatching(/^\.weathervane-moving-/)]);
    const moved = await move(place, target);
    expect(moved.get('voters')).toBe(60_000);
    if (other === 'SQLite') expect(await readdir(target.dataDir)).toEqual(['weathervane.sqlite']);
    expect(await withDatabase(target.url, (db) => db('voters').count({ rows: '*' }).first())).toEqual({
      rows: 60_000,
    });
  });

  test(
    'a move that is killed at any moment leaves the whole database or none of it',
    { ...slow, timeout: 120_000 },
    async () => {
      const { place, target } = await installation();
      const started = performance.now();
      expect((await runCommandOn('move', place, (await empty.place(other)).url)).code).toBe(0);
      const usual = performance.now() - started;
      let finished = false;
      for (let round = 0; round < 8 && !finished; round++) {
        const { answer, kill } = startCommand('move', place, [target.url]);
        // The first part of the time is Node's own start.
        const timer = setTimeout(kill, usual * (0.4 + 0.07 * round));
        await answer;
        clearTimeout(timer);
        finished =
          other === 'SQLite'
            ? (await readdir(target.dataDir)).includes('weathervane.sqlite')
            : await withDatabase(target.url, (db) => db.schema.hasTable('votes'));
        if (!finished && other === 'PostgreSQL') await expectNothingAt(target);
      }
      if (!finished) await move(place, target);
      const tables = ['polls', 'ballots', 'ballot_options', 'statistics'];
      const original = await withDatabase(place.url, (db) => rowsOf(db, tables));
      expect(await withDatabase(target.url, (db) => rowsOf(db, tables))).toEqual(original);
    },
  );

  test('a row that differs in the copy is detected, its table is named, and the copy is discarded', slow, async () => {
    const { place, target } = await installation();
    if (other === 'PostgreSQL') await withDatabase(target.url, (db) => db.raw(tamperingTrigger));
    const moving = move(place, target, (phase, done, of) => {
      if (other === 'PostgreSQL' || phase !== 'indexing' || done < of) return;
      const [draft = ''] = readdirSync(target.dataDir);
      const file = join(target.dataDir, draft, 'database.sqlite');
      const bytes = readFileSync(file);
      const at = bytes.indexOf('About p.');
      expect(at).toBeGreaterThan(0);
      bytes[at] = 'a'.charCodeAt(0);
      writeFileSync(file, bytes);
    });
    await expect(moving).rejects.toThrow(
      'The copy differs from the original:\n  polls: 1 row arrived, but their checksum differs\nThe copy was discarded.',
    );
    await expectNothingAt(target);
  });

  once('a database of an older version is refused until it is migrated', async () => {
    const place = await empty.place(engine);
    await withDatabase(place.url, (db) => applyMigrations(db, knownMigrations().slice(0, -1)));
    const target = await empty.place(other);
    await expect(move(place, target)).rejects.toThrow('Run npm run migrate first');
    await expectNothingAt(target);
  });

  test('a move between two databases of one kind is refused', async () => {
    const { place } = await installation();
    await expect(move(place, await empty.place(engine))).rejects.toThrow('Use npm run backup and npm run restore');
  });
});

/** Whether rows are being copied into a database right now. */
async function withCopyOn({ url, dataDir }: Place, engine: string): Promise<boolean> {
  if (engine === 'SQLite') return (await readdir(dataDir)).some((name) => name.startsWith('.weathervane-moving-'));
  return withDatabase(url, async (db) => {
    const { rows } = await db.raw<{ rows: unknown[] }>(
      "select from pg_stat_activity where datname = current_database() and query like 'copy %voters%'",
    );
    return rows.length > 0;
  });
}

/** Changes every poll written to a table “polls” that is created later. */
const tamperingTrigger = `
  create function tamper() returns trigger language plpgsql as $$
    begin
      new.description = replace(new.description, 'About', 'about');
      return new;
    end $$;
  create function attach() returns event_trigger language plpgsql as $$
    begin
      if exists (select from pg_event_trigger_ddl_commands() where object_identity = 'public.polls' and command_tag = 'CREATE TABLE')
      then create trigger tamper before insert on polls for each row execute function tamper(); end if;
    end $$;
  create event trigger attach on ddl_command_end execute function attach()`;

test('columns of every kind are copied both ways, including binary and 64-bit ones and tables without a row id', async () => {
  const [sqlite, postgres] = [await empty.place('SQLite'), await empty.place('PostgreSQL')];
  const columns: TableLayout['columns'] = [
    { name: 'digest', kind: 'binary' },
    { name: 'n', kind: 'integer' },
    { name: 'flag', kind: 'boolean' },
    { name: 'note', kind: 'text' },
    { name: 'more', kind: 'binary' },
    { name: 'mark', kind: 'uuid' },
  ];
  const tables = (['marks', 'copies'] as const).map((name) => ({ name, columns }));
  const [marks, copies] = tables as [TableLayout, TableLayout];
  await withDatabase(sqlite.url, async (lite) => {
    for (const { name } of tables)
      await lite.raw(
        `create table ${name} (digest blob not null, n bigint not null, flag boolean, note text, more blob, mark blob, primary key (digest, n)) without rowid`,
      );
    await lite.raw(
      `with recursive i (n) as (select 0 union all select n + 1 from i where n < 999)
       insert into marks select randomblob(2), 9223372036854775807 - n, iif(n % 3 = 2, null, n % 3),
         char(n) || '\\' || n || char(9, 92, 78), iif(n % 7 = 0, null, randomblob(n % 5)),
         iif(n % 7 = 1, null, randomblob(16)) from i where n > 0`,
    );
    await withDatabase(postgres.url, async (pg) => {
      await pg.raw(
        'create table marks (digest bytea, n bigint, flag boolean, note text, more bytea, mark uuid, primary key (digest, n))',
      );
      await pg.transaction(async (trx) => {
        await truncate(trx, ['marks']);
        await lite.transaction((from) => copyLines(trx, marks, sqliteLines(from, marks)));
        expect(await trx('marks').count({ rows: '*' }).first()).toEqual({ rows: 999 });
        await lite.transaction((to) => insertLines(to, copies, postgresLines(trx, marks)));
      });
    });
    const compared =
      'select digest, n, flag, note, more, mark, typeof(n), typeof(flag), typeof(more), typeof(mark) from';
    expect(await lite.raw(`${compared} marks except ${compared} copies`)).toEqual([]);
    expect(await lite('copies').count({ rows: '*' }).first()).toEqual({ rows: 999 });
  });
});

test('the next id is above all ids that a table has or ever assigned', async () => {
  const { url } = await empty.place('PostgreSQL');
  await withDatabase(url, async (db) => {
    for (const name of ['copied', 'emptied', 'untouched'])
      await db.raw(`create table ${name} (number bigserial primary key, note text)`);
    await db('copied').insert([{ number: 41, note: '' }]);
    await continueSequences(db, new Map([['emptied', 7]]));
    const next = async (name: string) => (await db(name).insert({ note: '' }).returning('number')) as unknown[];
    expect(await Promise.all(['copied', 'emptied', 'untouched'].map(next))).toEqual([
      [{ number: 42 }],
      [{ number: 8 }],
      [{ number: 1 }],
    ]);
  });
});

test('an unreachable target prints an error message without the password', async () => {
  const place = await empty.place('SQLite');
  await withDatabase(place.url, (db) => applyMigrations(db, knownMigrations()));
  const { code, complaint } = await runCommandHere('move', place, 'postgres://nobody:secret@127.0.0.1:1/none');
  expect({ code, complaint }).toEqual({
    code: 1,
    complaint: expect.stringMatching(/^The target database can’t be reached \((?!.*secret).*ECONNREFUSED/),
  });
});

test('a text that PostgreSQL cannot store stops the move with the name of its table', slow, async () => {
  const { place, target } = { place: await empty.place('SQLite'), target: await empty.place('PostgreSQL') };
  await withDatabase(place.url, async (db) => {
    await applyMigrations(db, knownMigrations());
    await db.raw("insert into attempts (key, used, resets_at) values ('a' || char(0) || 'b', 1, 1)");
  });
  const moving = moveDatabase({ databaseUrl: place.url, target: target.url, onProgress: () => undefined });
  await expect(moving).rejects.toThrow(/^The move failed: attempts can’t be copied \(.*0x00.*\)\. Nothing was changed/);
});

test.each([
  [[], 'Missing target: npm run operate -- move postgres://'],
  [['postgres://a/b', 'c'], 'Unexpected argument: c.'],
  [['mysql://user:secret@host/db'], 'The target starts with “mysql”, but it must be postgres://'],
  [['sqlite::memory:'], 'An in-memory database is lost'],
  [['postgres://nobody:secret@127.0.0.1:1/none'], 'There is no database at'],
])('move %j prints an error message', async (words, sentence) => {
  const { code, output, complaint } = await runCommandHere('move', await empty.place('SQLite'), ...words);
  expect(complaint).toContain(sentence);
  expect(complaint).not.toMatch(/secret|\n {4}at /);
  expect({ code, output }).toEqual({ code: 1, output: '' });
});
