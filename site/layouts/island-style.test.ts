import { expect, test } from 'vitest';
import { withStyleInHead } from './island-style.ts';

const moved = (html: string) => withStyleInHead(Buffer.from(html)).toString();
const style = '<style>astro-island,astro-slot{display:contents}</style>';

test('the style of islands moves from the body to the end of the head', () => {
  expect(moved(`<head><title>Ä</title></head><body>é${style}<astro-island>`)).toBe(
    `<head><title>Ä</title>${style}</head><body>é<astro-island>`,
  );
});

test('a page without islands, or with their style in the head, stays as it is', () => {
  for (const page of ['<head></head><body>no island', `<head>${style}</head><body>`, 'no head'])
    expect(moved(page)).toBe(page);
});
