import { Model } from 'objection';

/** A row of `blog_posts`. Times in milliseconds. */
export class BlogPostModel extends Model {
  static override tableName = 'blog_posts';
  static override jsonAttributes = ['tags'];

  declare id: number;
  declare slug: string;
  declare title: string;
  declare excerpt: string;
  /** HTML. */
  declare content: string;
  declare category: string;
  declare author: string;
  declare tags: string[];
  declare featured: boolean | 0 | 1;
  declare published: boolean | 0 | 1;
  /** Was published and is not any more. */
  declare gone: boolean | 0 | 1;
  declare published_at: number;
  declare created_at: number;
  declare updated_at: number;
}
