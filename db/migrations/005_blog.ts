import type { Knex } from 'knex';

/** Blog posts, filled from content/blog by slug. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('blog_posts', (t) => {
    t.increments('id');
    t.string('slug', 120).notNullable().unique({ indexName: 'blog_posts_slug' });
    t.text('title').notNullable();
    t.text('excerpt').notNullable();
    t.text('content').notNullable().comment('HTML');
    t.string('category', 120).notNullable();
    t.string('author', 200).notNullable();
    t.text('tags').notNullable().defaultTo('[]');
    t.boolean('featured').notNullable().defaultTo(false);
    t.boolean('published').notNullable().defaultTo(true);
    t.bigInteger('published_at').notNullable();
    t.bigInteger('created_at').notNullable();
    t.bigInteger('updated_at').notNullable();
    t.index(['published', 'featured', 'published_at'], 'blog_posts_newest');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTableIfExists('blog_posts');
}
