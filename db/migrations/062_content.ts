import type { Knex } from 'knex';

/**
 * Articles, About, and the legal pages as rows with their history, and the pictures in them. The files of content/ fill
 * them; what is edited in the browser is theirs no longer.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('content_entries', (t) => {
    t.increments('id');
    t.string('folder', 8).notNullable().checkIn(['blog', 'pages', 'legal'], 'content_entries_folder');
    t.string('name', 120).notNullable().comment('the slug of an article, or the name of a page');
    t.text('source').notNullable().comment('front matter and Markdown, as last saved');
    t.text('live').nullable().comment('what is published');
    t.integer('version').notNullable().comment('of source; each save has a new one');
    t.bigInteger('publish_at').nullable();
    t.integer('publish_version').nullable();
    t.bigInteger('withdrawn_at').nullable().comment('unpublished or deleted in the browser');
    t.bigInteger('deleted_at').nullable();
    t.text('file_source').nullable().comment('the file that source is from or was edited from');
    t.text('newer_file').nullable().comment('a later file that an edit in the browser keeps out');
    t.bigInteger('created_at').notNullable();
    t.bigInteger('updated_at').notNullable();
    t.string('updated_by', 100).notNullable();
    t.bigInteger('reviewed_at').nullable();
    t.string('reviewed_by', 100).nullable();
    t.unique(['folder', 'name'], { indexName: 'content_entries_name' });
    t.check('(publish_at is null) = (publish_version is null)', [], 'content_entries_schedule');
    t.check('withdrawn_at is null or live is null', [], 'content_entries_withdrawn');
    t.check(
      "deleted_at is null or (folder = 'blog' and withdrawn_at is not null and publish_at is null)",
      [],
      'content_entries_deleted',
    );
  });
  await knex.raw('create index content_entries_due on content_entries (publish_at) where publish_at is not null');

  await knex.schema.createTable('content_versions', (t) => {
    t.bigIncrements('id');
    t.integer('entry_id').notNullable().references('id').inTable('content_entries').onDelete('CASCADE');
    t.integer('version').notNullable();
    t.text('source').notNullable();
    t.string('event', 16).notNullable();
    t.string('actor', 100).notNullable();
    t.bigInteger('created_at').notNullable();
    t.bigInteger('published_at').nullable().comment('when it was first published');
    t.unique(['entry_id', 'version'], { indexName: 'content_versions_version' });
  });

  await knex.schema.createTable('content_images', (t) => {
    t.string('name', 60).primary().comment('SHA-256 of the content, base64url, with width and height');
    t.binary('content').notNullable().comment('WebP');
    t.bigInteger('created_at').notNullable();
    t.string('created_by', 100).notNullable();
  });

  await knex.schema.alterTable('blog_posts', (t) => {
    t.boolean('gone').notNullable().defaultTo(false).comment('unpublished or deleted in the browser');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table blog_posts drop column gone');
  for (const table of ['content_images', 'content_versions', 'content_entries']) await knex.schema.dropTable(table);
}
