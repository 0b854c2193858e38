import { expect, test } from 'vitest';
import { mailboxOf } from './mailbox.ts';

test('spellings of one mailbox count as one: case, international domains, what follows a plus, and dots where they mean nothing', () => {
  const one = (spellings: readonly string[]) => new Set(spellings.map((email) => mailboxOf(email).key)).size;
  expect(one(['Anna@Example.org', 'anna@example.org', ' anna+polls@example.org', 'anna+a+b@example.org'])).toBe(1);
  expect(one(['jo@bücher.example', 'JO@BÜCHER.example', 'jo@xn--bcher-kva.example'])).toBe(1);
  expect(one(['anna.berg@gmail.com', 'annaberg@googlemail.com', 'a.n.n.a.b.e.r.g+x@gmail.com'])).toBe(1);
  expect(one(['an-na.b@proton.me', 'annab@pm.me', 'anna_b@protonmail.com'])).toBe(1);
});

test('addresses that may belong to different people stay different', () => {
  const keys = [
    'anna.berg@example.org',
    'annaberg@example.org',
    'anna@example.com',
    '+1@example.org',
    '+2@example.org',
  ];
  expect(new Set(keys.map((email) => mailboxOf(email).key)).size).toBe(keys.length);
});

test('a domain is limited unless it is that of a large provider', () => {
  expect(mailboxOf('anna@school.example').smallDomain).toBe('school.example');
  expect(mailboxOf('anna@googlemail.com').smallDomain).toBeNull();
});
