import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { withOwnHashes } from './page-policy.ts';

const hashOf = (content: string) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
const policyOf = (hashes: readonly string[]) =>
  `default-src 'self'; script-src 'self' ${hashes.map(hashOf).join(' ')}; style-src 'self' ${hashes.map(hashOf).join(' ')};`;
const head = (policy: string) => `<meta http-equiv="content-security-policy" content="${policy}">`;
const body =
  '<style data-x>p{color:red}</style><script>one("é<style>")</script><script type="module" src="/two.js"></script><script>three()</script>';

test('the policy of a page lists its own inline scripts and styles, not those of other pages', () => {
  const all = ['p{color:red}', 'one("é<style>")', 'two()', 'three()', 'four()'];
  const own = policyOf(['p{color:red}', 'one("é<style>")', 'three()']);
  const { page, header } = withOwnHashes(Buffer.from(head(policyOf(all)) + body), policyOf(all));
  expect([page.toString(), header]).toEqual([head(own) + body, own]);
});

test('a text with the beginning of a script or style in an attribute takes no hash from the page', () => {
  const own = policyOf(['p{color:red}', 'one("é<style>")', 'three()']);
  const html = `${head(own)}<meta content="<script> or <style>">${body}`;
  expect(withOwnHashes(Buffer.from(html), own)).toEqual({ page: Buffer.from(html), header: own });
});

test('a page without a policy, or whose policy has no other hashes, stays as it is', () => {
  for (const html of [body, head(policyOf(['three()'])) + body, head("default-src 'self'"), ''])
    expect(withOwnHashes(Buffer.from(html), null)).toEqual({ page: Buffer.from(html), header: null });
});
