import { expect, test } from 'vitest';
import type { BlogPost } from '#contract/blog.ts';
import { emptyNotice } from './empty-blog.ts';

test('a blog without articles says that they will come, and one with an article does not', () => {
  expect(emptyNotice([])).toEqual({
    title: 'No Blog Posts',
    text: "Blog articles will appear here once they're published.",
  });
  expect(emptyNotice([{ slug: 'here' } as BlogPost])).toBeNull();
});
