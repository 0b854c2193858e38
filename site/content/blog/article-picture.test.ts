import { expect, test } from 'vitest';
import { articlePicture } from './article-picture.ts';

test('the picture of an article without a chart is a ballot drawn from its title', () => {
  const picture = articlePicture({ title: '<b>A</b> short & sharp history', content: '<p>Text</p>' });
  expect(picture).toMatch(/<circle .*<path /);
  expect(picture).not.toMatch(/NaN|<b>|sharp/);
  expect(picture).not.toBe(articlePicture({ title: 'Another subject', content: '' }));
});
