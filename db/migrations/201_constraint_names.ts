import type { Knex } from 'knex';

/**
 * PostgreSQL 18 named three constraints of adopted databases otherwise than those of new ones: their tables were created beside
 * the earlier ones of the same name.
 */
const renamed = { votes: ['created_at', 'id'], voters: ['counted'] };

export async function up(knex: Knex): Promise<void> {
  if ((knex.client as { config: Knex.Config }).config.client !== 'pg') return;
  for (const [table, columns] of Object.entries(renamed))
    for (const column of columns) {
      const name = `${table}_${column}_not_null`;
      const found = await knex('pg_constraint')
        .whereRaw('conrelid = ?::regclass', [table])
        .where({ conname: `${name}1` })
        .first('oid');
      if (found !== undefined) await knex.raw('alter table ?? rename constraint ?? to ??', [table, `${name}1`, name]);
    }
}

/** Nothing reads the names. */
export const down = (): Promise<void> => Promise.resolve();
