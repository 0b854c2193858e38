import { idList, insertRows, selectRows } from '#platform/bulk-rows.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { nearestWord, spelledWords, spellingOf, spellingsOf } from '#domain/spelling.ts';

/** Documents per transaction, for which votes wait on SQLite, and transactions per call. */
const documentsAtOnce = 200;
const mostTransactions = 10;

/**
 * Learns the words of titles and details of new and changed documents for spelling corrections. Not part of the transactions
 * that write documents, which would wait for each other over shared new words. True if documents may be left.
 */
export async function learnSpellings(db: Database): Promise<boolean> {
  for (let n = 0; n < mostTransactions; n++) {
    // Nothing to learn needs no write, which a full disk would refuse.
    if ((await db('search_unlearned').first('document_key')) === undefined) return false;
    await db.transaction(async (trx) => {
      const keys = await trx('search_unlearned').orderBy('document_key').limit(documentsAtOnce).pluck('document_key');
      // Before reading the texts: a later change queues its document again.
      await trx('search_unlearned').whereIn('document_key', keys).del();
      const texts = await trx('search_documents').whereIn('key', keys).select('title', 'details');
      const words = spelledWords(texts.map(({ title, details }) => `${title} ${details}`).join(' '));
      const known = await selectRows<{ word: string }>(
        trx,
        `select word from search_spellings where spelling = word and word in ${idList(trx)}`,
        words,
      );
      const isKnown = new Set(known.map(({ word }) => word));
      // Sorted, so that two processes don’t deadlock.
      const added = words.filter((word) => !isKnown.has(word)).sort();
      await insertRows(
        trx,
        'search_spellings',
        { spelling: 'text', word: 'text' },
        added.flatMap((word) => spellingsOf(word).map((spelling) => ({ spelling, word }))),
        'on conflict do nothing',
      );
    });
  }
  return true;
}

/** Corrections by term, without terms that are known words or have no near one. */
export async function correctedTerms(db: Database, terms: readonly string[]): Promise<Map<string, string>> {
  const corrected = new Map<string, string>();
  for (const term of terms) {
    const typed = spellingOf(term);
    const words = await db('search_spellings').distinct().whereIn('spelling', spellingsOf(typed)).pluck('word');
    const nearest = nearestWord(typed, words);
    if (nearest !== null && nearest !== typed) corrected.set(term, nearest);
  }
  return corrected;
}

/** Words that {@link forgetSpellings} checks per call. */
const checkedAtOnce = 500;
/** Where the next call continues. */
let checkedUpTo = '';

/** Forgets words that no document contains any more; each call checks the next batch. */
export async function forgetSpellings(db: Database): Promise<void> {
  const words = await db('search_spellings')
    .whereRaw('spelling = word')
    .where('word', '>', checkedUpTo)
    .orderBy('word')
    .limit(checkedAtOnce)
    .pluck('word');
  checkedUpTo = words.length < checkedAtOnce ? '' : (words.at(-1) ?? '');
  const has = isSqlite(db)
    ? 'select 1 from search_index where search_index match ? limit 1'
    : "select 1 from search_documents where words @@ to_tsquery('search_stems', ?) limit 1";
  const gone: string[] = [];
  for (const word of words) {
    const found = await db.raw<unknown[] | { rows: unknown[] }>(has, [isSqlite(db) ? `"${word}"` : `'${word}'`]);
    if ((Array.isArray(found) ? found : found.rows).length === 0) gone.push(word);
  }
  if (gone.length > 0) await db('search_spellings').whereIn('word', gone).del();
}
