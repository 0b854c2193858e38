import { expect, test } from 'vitest';
import { blogTexts } from './blog.ts';

test('[S2.70] a blog without articles says that they will appear; one with an article doesn’t', () => {
  expect(blogTexts.emptyNotice(0)).toEqual({
    title: 'No Blog Posts',
    text: "Blog articles will appear here once they're published.",
  });
  expect(blogTexts.emptyNotice(1)).toBeNull();
});
