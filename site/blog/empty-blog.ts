import type { BlogPost } from '#contract/blog.ts';
import { blogTexts } from '#texts/blog.ts';

/** What stands in the place of the articles where there are none. */
export const emptyNotice = (posts: readonly BlogPost[]) => (posts.length === 0 ? blogTexts.empty : null);
