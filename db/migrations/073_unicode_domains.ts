import { domainToASCII, domainToUnicode } from 'node:url';
import type { Knex } from 'knex';

const columns = [
  { table: 'users', id: 'id', column: 'email' },
  { table: 'email_changes', id: 'user_id', column: 'email' },
  { table: 'mail_outbox', id: 'id', column: 'recipient' },
] as const;

/** Browsers sent the international domain of an email address in ASCII (xn--…), and members saw it so. Keys stay in ASCII. */
export async function up(knex: Knex): Promise<void> {
  await convert(knex, "lower(??) like '%@%xn--%'", domainToUnicode);
}

export async function down(knex: Knex): Promise<void> {
  // No other addresses have characters of more than one byte.
  const bytes = isPostgres(knex) ? 'octet_length(??)' : 'length(cast(?? as blob))';
  await convert(knex, `${bytes} > length(??)`, domainToASCII);
}

async function convert(knex: Knex, where: string, form: (domain: string) => string): Promise<void> {
  for (const { table, id, column } of columns) {
    const names = where
      .split('??')
      .slice(1)
      .map(() => column);
    const rows = await knex(table).whereRaw(where, names).select<Record<string, string>[]>(id, column);
    for (const row of rows) {
      const address = row[column]!;
      const at = address.lastIndexOf('@') + 1;
      const domain = form(address.slice(at));
      if (domain === '') continue;
      await knex(table)
        .where({ [id]: row[id] })
        .update({ [column]: address.slice(0, at) + domain });
    }
  }
}

function isPostgres(knex: Knex): boolean {
  return (knex.client as { config: Knex.Config }).config.client === 'pg';
}
