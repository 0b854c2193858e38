import { expect, test } from 'vitest';
import { PathTree } from './path-tree.ts';

const tree = new PathTree<string>();
tree.add('GET', '/api/polls/:id', 'poll');
tree.add('POST', '/api/polls/:id/vote', 'vote');
tree.add('GET', '/api/polls/active', 'active');
tree.add('GET', '/api/polls/historical/paginated', 'archive');
tree.add('GET', '/api/polls/related/:category/:id', 'related');
const found = (path: string, method = 'GET') => {
  const match = tree.find(path);
  return match && [match.methods.get(method), match.params];
};

test('a literal wins over a parameter, whatever was registered first', () => {
  expect(found('/api/polls/active')).toEqual(['active', {}]);
  expect(found('/api/polls/other')).toEqual(['poll', { id: 'other' }]);
  expect(found('/api/polls/historical/vote', 'POST')).toEqual(['vote', { id: 'historical' }]);
  expect(found('/api/polls/historical')).toEqual(['poll', { id: 'historical' }]);
});

test('parameters are decoded, and a slash inside one is part of it', () => {
  expect(found('/api/polls/related/a%2Fb%20c/x')).toEqual(['related', { category: 'a/b c', id: 'x' }]);
  expect(found('/api/polls/related/a%/x')).toBeNull();
});

test('a slash at the end makes no difference, any other difference does', () => {
  expect(found('/api/polls/active/')).toEqual(['active', {}]);
  expect(found('/api/polls')).toBeNull();
  expect(found('/api/polls/a/b')).toBeNull();
  expect(found('/API/polls/active')).toBeNull();
});

test('a place says which methods it has', () => {
  expect([...(tree.find('/api/polls/x/vote')?.methods.keys() ?? [])]).toEqual(['POST']);
});

test('two values for one call are a mistake in the program', () => {
  expect(() => tree.add('GET', '/api/polls/:id', 'again')).toThrow('registered twice');
  expect(() => tree.add('GET', '/api/polls/:slug', 'again')).toThrow('same place');
});
