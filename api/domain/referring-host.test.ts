import { expect, test } from 'vitest';
import { hostLabel } from './referring-host.ts';

test.each([
  ['News.Example.ORG', 'news.example.org'],
  ['news.example.org:8443', 'news.example.org'],
  ['news.example.org.', 'news.example.org'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['com.google.android.gm', 'com.google.android.gm'],
  ['10.0.0.7', '10.0.0.7'],
  ['polls.example.org:3000', '(this site)'],
  ['POLLS.example.org:3000', '(this site)'],
  ['', '(none)'],
  ['(none)', '(none)'],
  ['(this site)', '(this site)'],
  ['(other)', '(other)'],
  ['[2001:db8::1]', '(other)'],
  ['https://news.example.org/story?id=7', '(other)'],
  ['a b', '(other)'],
  ['<script>', '(other)'],
  ['-', '(other)'],
  ['x'.repeat(300), '(other)'],
])('the referring host “%s” is counted as %s', (host, label) => {
  expect(hostLabel(host, 'polls.example.org:3000')).toBe(label);
});
