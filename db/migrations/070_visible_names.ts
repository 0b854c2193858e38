import type { Knex } from 'knex';

/** Characters that nobody sees or that change the direction of text, except those that letters and emoji need. */
const hidden = /(?![\u200c\u200d\ufe0f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

interface NameRow {
  readonly id: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
}

/** Names can’t have hidden characters anymore; those of earlier accounts lose them. */
export async function up(knex: Knex): Promise<void> {
  const visible = (name: string | null) => {
    const kept = name?.replace(hidden, '').trim() ?? '';
    return kept === '' ? null : kept;
  };
  const rows = await knex('users')
    .whereNotNull('first_name')
    .orWhereNotNull('last_name')
    .select<NameRow[]>('id', 'first_name', 'last_name');
  for (const { id, ...names } of rows) {
    const changed = { first_name: visible(names.first_name), last_name: visible(names.last_name) };
    if (changed.first_name === names.first_name && changed.last_name === names.last_name) continue;
    await knex('users').where({ id }).update(changed);
  }
}

/** The characters are gone. */
export function down(): Promise<void> {
  return Promise.resolve();
}
