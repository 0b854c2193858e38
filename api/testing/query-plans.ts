import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';

interface Asked {
  readonly sql: string;
  readonly bindings?: readonly (string | number)[];
}

/**
 * The query plans of the database, one line per statement. `anyIndex`: PostgreSQL scans a table only if no index fits,
 * however short it is. `executed`: with what PostgreSQL found out while it executed them.
 */
export async function plansOf(
  db: Database,
  act: () => Promise<unknown>,
  { anyIndex = false, executed = false }: { readonly anyIndex?: boolean; readonly executed?: boolean } = {},
): Promise<string> {
  const asked: Asked[] = [];
  const listen = (query: Asked) => asked.push(query);
  db.on('query', listen);
  await act();
  db.removeListener('query', listen);
  const explain = async (handle: Database) => {
    const plans: string[] = [];
    for (const { sql, bindings = [] } of asked) {
      if (!/^(select|update|insert|delete|with|\()/i.test(sql)) continue;
      const how = isSqlite(db) ? 'query plan ' : executed ? '(analyze, timing off) ' : '';
      const words = `explain ${how}${sql.replace(/\$\d+/g, '?')}`;
      const plan: unknown = await handle.raw(words, [...bindings]);
      plans.push(JSON.stringify(isSqlite(db) ? plan : (plan as { rows: unknown }).rows));
    }
    return plans.join('\n');
  };
  if (!anyIndex || isSqlite(db)) return explain(db);
  return db.transaction(async (trx) => {
    await trx.raw('set local enable_seqscan = off');
    return explain(trx);
  });
}
