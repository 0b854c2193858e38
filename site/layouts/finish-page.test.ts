import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { finishPage } from './finish-page.ts';

const finished = (html: string) => finishPage(Buffer.from(html)).toString();

const style = '<style>astro-island,astro-slot{display:contents}</style>';

test('the style of islands moves from the body to the end of the head', () => {
  expect(finished(`<head><title>Ä</title></head><body>é${style}<astro-island>`)).toBe(
    `<head><title>Ä</title>${style}</head><body>é<astro-island>`,
  );
});

test('a page without islands, or with their style in the head, stays as it is', () => {
  for (const page of ['<head></head><body>no island', `<head>${style}</head><body>`, 'no head'])
    expect(finished(page)).toBe(page);
});

const hashOf = (content: string) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
const policyOf = (contents: readonly string[]) => {
  const hashes = contents.map(hashOf).join(' ');
  return `<meta http-equiv="content-security-policy" content="default-src 'self'; script-src 'self' ${hashes}; style-src 'self' ${hashes};">`;
};
const body =
  '<style data-x>p{color:red}</style><script>one("é<style>")</script><script type="module" src="/two.js"></script><script>three()</script>';
const own = policyOf(['p{color:red}', 'one("é<style>")', 'three()']);

test('the policy of a page lists its own inline scripts and styles, not those of other pages', () => {
  const all = policyOf(['p{color:red}', 'one("é<style>")', 'two()', 'three()', 'four()']);
  expect(finished(all + body)).toBe(own + body);
});

test('a text with the beginning of a script or style in an attribute takes no hash from the page', () => {
  const html = `${own}<meta content="<script> or <style>">${body}`;
  expect(finished(html)).toBe(html);
});

test('a page without a policy, or whose policy has no other hashes, stays as it is', () => {
  for (const html of [
    body,
    own + body,
    '<meta http-equiv="content-security-policy" content="default-src \'self\'">',
    '',
  ])
    expect(finished(html)).toBe(html);
});
