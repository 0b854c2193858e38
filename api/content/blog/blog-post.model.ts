import { rowModel } from '#platform/row-model.ts';

/** A row of `blog_posts`. Times in milliseconds. */
export class BlogPostModel extends rowModel<'blog_posts', { tags: string[] }>() {
  static override tableName = 'blog_posts';
  static override jsonAttributes = ['tags'];
}
