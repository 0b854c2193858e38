import { dirname } from 'node:path';
import type { Knex } from 'knex';

/** What the conversion is given, as `userParams` of the settings of a handle, which its transactions share. */
interface ConversionParams {
  /** The digests of a device's fingerprint and of a voter cookie's value: 32 hexadecimal digits each. */
  readonly voterDigests?: Readonly<Record<'device' | 'cookie', (value: string) => string>>;
  readonly onProgress?: (phase: 'votes' | 'voters' | 'indexes' | 'comparing', done: number, of: number) => void;
}

/** The conversion cannot go on; the message says why. The earlier tables are as they were. */
class ConversionError extends Error {
  override readonly name = 'ConversionError';
}

/** Rows per transaction. */
const batchRows = 20_000;
/** Values of voter cookies; one fingerprint in 10^10 has no capital letter, dash, or underscore. */
const cookiePattern = /^[0-9a-z]{30,43}$/;
const tables = ['votes', 'voters'] as const;
type Table = (typeof tables)[number];

/** Runs work in a transaction that keeps other processes from migrating. */
type Locked = <Result>(work: (trx: Knex) => Promise<Result>) => Promise<Result>;

/**
 * Moves the rows of `old_votes` and `old_voters` in many transactions, each with the position that it reached, so that an
 * interrupted conversion continues there. Several processes may do this at once: they take turns.
 */
export async function convertInBatches(db: Knex, locked: Locked): Promise<void> {
  const unlessDone = <Result>(work: (trx: Knex) => Promise<Result>) =>
    locked(async (trx) => ((await trx.schema.hasTable('old_votes')) ? work(trx) : null));
  if (!isPostgres(db)) await sortOnDisk(db);
  await unlessDone(totalsBefore);
  for (const table of tables) while (await unlessDone((trx) => convertBatch(trx, table)));
}

/**
 * Moves the rows that {@link convertInBatches} left, creates the unique indexes, and compares the new tables with the
 * earlier ones; throws a {@link ConversionError} where they differ. `indexes` are the statements for the indexes of `votes`.
 */
export async function finishConversion(trx: Knex, indexes: readonly string[]): Promise<void> {
  const before = await totalsBefore(trx);
  for (const table of tables) while (await convertBatch(trx, table));
  const onProgress = before.votes === 0 ? undefined : paramsOf(trx).onProgress;
  for (const [done, statement] of indexes.entries()) {
    onProgress?.('indexes', done, indexes.length);
    await trx.raw(statement).catch((error: unknown) => {
      throw isDuplicate(error) ? new ConversionError(duplicates(statement)) : error;
    });
  }
  onProgress?.('comparing', 0, 1);
  const after = await totalsOf(trx, { votes: 'votes', cookie: 'cookie', voters: 'voters' });
  const differences = [
    ...Object.entries(before).flatMap(([name, value]) =>
      after[name] === value ? [] : [`${name}: ${value} before, ${after[name]} after`],
    ),
    ...(await differentOptions(trx)),
  ];
  if (differences.length > 0) throw new ConversionError(differs(differences));
  // A process of the previous release may have deleted accounts meanwhile; no foreign key detached their votes.
  await trx.raw(
    `update votes set user_id = null
     where user_id is not null and not exists (select 1 from users where users.id = votes.user_id)`,
  );
  await trx('installation').where('name', 'like', 'converted %').del();
}

/** Lets SQLite sort the entries of new indexes in files beside the database, not in memory. */
export async function sortOnDisk(db: Knex): Promise<void> {
  const [main] = await rowsOf<{ file: string }>(db, "select file from pragma_database_list where name = 'main'");
  await db.raw('pragma temp_store = file');
  // The folder for temporary files may be small, or in memory.
  if (main?.file) await db.raw(`pragma temp_store_directory = '${dirname(main.file).replaceAll("'", "''")}'`);
}

/** Moves the next rows of a table; false when there were none. */
async function convertBatch(trx: Knex, table: Table): Promise<boolean> {
  const name = `converted ${table}`;
  const { last, done } = (await kept<{ last: string | number; done: number }>(trx, name)) ?? { last: null, done: 0 };
  const moved = await (table === 'votes' ? convertVotes(trx, last ?? 0) : convertVoters(trx, last ?? ''));
  if (moved === null) return false;
  await keep(trx, name, { last: moved.last, done: done + moved.rows });
  const { [table]: of = 0 } = await totalsBefore(trx);
  paramsOf(trx).onProgress?.(table, done + moved.rows, of);
  return true;
}

interface OldVote {
  readonly id: number;
  readonly voter_fingerprint: string;
  readonly voter_cookie: string | null;
}

/** Only digests pass through this process: the other columns are copied inside the database. */
async function convertVotes(trx: Knex, after: string | number) {
  const votes = await trx('old_votes')
    .where('id', '>', after)
    .orderBy('id')
    .limit(batchRows)
    .select<OldVote[]>('id', 'voter_fingerprint', 'voter_cookie');
  const last = votes.at(-1);
  if (last === undefined) return null;
  const { device, cookie } = digestsOf(trx);
  const digests = votes.map(
    ({ id, voter_fingerprint, voter_cookie }) =>
      `"${id}":"${device(voter_fingerprint)}${voter_cookie === null ? '' : cookie(voter_cookie)}"`,
  );
  const { each, binary } = wordsOf(trx);
  await trx.raw(
    `insert into votes (id, created_at, ballot_key, option_key, device, cookie, noted, user_id)
     select v.id, v.created_at, b.key, o.key, ${binary('substr(d.value, 1, 32)')},
       ${binary("nullif(substr(d.value, 33), '')")}, v.noted, v.user_id
     from ${each} d cross join old_votes v
     join ballots b on b.id = v.ballot_id
     join ballot_options o on o.ballot_id = v.ballot_id and o.option_id = v.option_id
     where v.id = cast(d.key as bigint) order by v.id`,
    [`{${digests.join()}}`],
  );
  return { last: last.id, rows: votes.length };
}

async function convertVoters(trx: Knex, after: string | number) {
  const voters = await trx('old_voters')
    .where('voter_key', '>', after)
    .orderBy('voter_key')
    .limit(batchRows)
    .select<{ voter_key: string; counted: number }[]>('voter_key', 'counted');
  const last = voters.at(-1);
  if (last === undefined) return null;
  const { device, cookie } = digestsOf(trx);
  const digests = voters.map(
    ({ voter_key, counted }) => `"${(cookiePattern.test(voter_key) ? cookie : device)(voter_key)}":${counted}`,
  );
  const { each, binary } = wordsOf(trx);
  // In the order of the primary key: neighbors are written together.
  await trx
    .raw(
      `insert into voters (digest, counted)
       select ${binary('d.key')}, cast(d.value as integer) from ${each} d where true order by d.key`,
      [`{${digests.join()}}`],
    )
    .catch((error: unknown) => {
      throw isDuplicate(error) ? new ConversionError(duplicates('voters')) : error;
    });
  return { last: last.voter_key, rows: voters.length };
}

function digestsOf(trx: Knex): NonNullable<ConversionParams['voterDigests']> {
  const { voterDigests } = paramsOf(trx);
  if (voterDigests === undefined)
    throw new ConversionError(
      'The votes can only be converted with the voter key of secrets.json. Run npm run migrate.',
    );
  return voterDigests;
}

type Totals = Readonly<Record<string, number>>;

/** The totals at the start of the conversion. */
async function totalsBefore(trx: Knex): Promise<Totals> {
  const name = 'converted from';
  const found = await kept<Totals>(trx, name);
  if (found !== null) return found;
  const totals = await totalsOf(trx, { votes: 'old_votes', cookie: 'voter_cookie', voters: 'old_voters' });
  await keep(trx, name, totals);
  return totals;
}

async function totalsOf(trx: Knex, names: { votes: string; cookie: string; voters: string }): Promise<Totals> {
  const parts = [
    `select count(*) as votes, count(${names.cookie}) as "votes with a cookie", count(user_id) as "votes of accounts",
       count(case when noted then 1 end) as "recorded votes" from ${names.votes}`,
    `select count(*) as voters, sum(counted) as "counted voters" from ${names.voters}`,
    'select sum(total_votes) as "votes counted by ballots" from ballots',
    'select sum(votes) as "votes counted by options" from ballot_options',
    'select sum(total_votes) as "total votes", sum(total_participants) as "total participants" from statistics',
  ];
  const totals: Record<string, number> = {};
  for (const part of parts)
    for (const [name, value] of Object.entries((await rowsOf<Record<string, unknown>>(trx, part))[0] ?? {}))
      totals[name] = Number(value);
  return totals;
}

/** Options whose number of votes differs, at most five. */
async function differentOptions(trx: Knex): Promise<string[]> {
  const options = await rowsOf<{ ballot_id: string; option_id: string; former: number; present: number }>(
    trx,
    `select o.ballot_id, o.option_id, coalesce(f.votes, 0) as former, coalesce(p.votes, 0) as present
     from ballot_options o join ballots b on b.id = o.ballot_id
     left join (select ballot_id, option_id, count(*) as votes from old_votes group by ballot_id, option_id) f
       on f.ballot_id = o.ballot_id and f.option_id = o.option_id
     left join (select ballot_key, option_key, count(*) as votes from votes group by ballot_key, option_key) p
       on p.ballot_key = b.key and p.option_key = o.key
     where coalesce(f.votes, 0) <> coalesce(p.votes, 0) limit 5`,
  );
  return options.map(
    ({ ballot_id, option_id, former, present }) =>
      `votes for option ${option_id} of ${ballot_id}: ${former} before, ${present} after`,
  );
}

const differs = (differences: readonly string[]) =>
  `The converted votes differ from the earlier ones:
${differences.map((line) => `  ${line}`).join('\n')}
The earlier votes are still in old_votes and old_voters. Make sure that no process of the previous version is running. To convert
all of them again, delete all rows of votes and voters, and those of installation whose name begins with “converted”, then start again.`;

const duplicates = (index: string) =>
  `Two earlier voters would be one: a unique index refuses their rows (${index}). The earlier votes are still in old_votes and old_voters.`;

const isDuplicate = (error: unknown) =>
  ['23505', 'SQLITE_CONSTRAINT'].includes((error as { code?: string }).code ?? '');

/** A value that the conversion keeps in `installation`; null when there is none. */
async function kept<Value>(trx: Knex, name: string): Promise<Value | null> {
  const row = await trx('installation').where({ name }).first<{ value: string } | undefined>('value');
  return row === undefined ? null : (JSON.parse(row.value) as Value);
}

async function keep(trx: Knex, name: string, value: unknown): Promise<void> {
  await trx('installation')
    .insert({ name, value: JSON.stringify(value) })
    .onConflict('name')
    .merge();
}

async function rowsOf<Row>(trx: Knex, sql: string): Promise<Row[]> {
  const result: unknown = await trx.raw(sql);
  return (Array.isArray(result) ? result : (result as { rows: unknown }).rows) as Row[];
}

function settingsOf(knex: Knex): Knex.Config & { readonly userParams?: ConversionParams } {
  return (knex.client as { config: Knex.Config }).config;
}

function paramsOf(knex: Knex): ConversionParams {
  return settingsOf(knex).userParams ?? {};
}

function isPostgres(knex: Knex): boolean {
  return settingsOf(knex).client === 'pg';
}

/** SQL that differs: the entries of a JSON object, and a digest of 32 hexadecimal digits. */
function wordsOf(trx: Knex) {
  return isPostgres(trx)
    ? { each: 'json_each_text(?::json)', binary: (digits: string) => `(${digits})::uuid` }
    : { each: 'json_each(?)', binary: (digits: string) => `unhex(${digits})` };
}
