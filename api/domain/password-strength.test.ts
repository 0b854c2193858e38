import { expect, test } from 'vitest';
import { passwordFindings, passwordStrength } from './password-strength.ts';

const rosa = { username: 'rosa_w', email: 'ann.smith@example.org', firstName: 'Rosa', lastName: 'Windörfer' };
const weaknessOf = (password: string) => {
  const [finding] = passwordFindings('password', passwordStrength(password, rosa, 'Straw Poll'));
  return finding?.params.weakness ?? null;
};

test.each([
  ...['password1', 'iloveyou12', 'letmein123', 'elephant', 'P@ssw0rd', 'sunshine2024', 'drowssap1'].map((password) => [
    password,
    'common',
  ]),
  ...['qwertyui', '1qaz2wsx', 'asdfasdf'].map((password) => [
    password,
    expect.stringMatching(/keyboard|common|repeated/),
  ]),
  ['aaaaaaaaa', 'repeated'],
  ['abcdefgh', expect.stringMatching(/sequence|common/)],
  ['20.11.1988', 'date'],
])('%s is refused as too easy to guess', (password, weakness) => {
  expect(weaknessOf(password)).toEqual(weakness);
});

test.each([
  'rosa_w99',
  'annsmith99',
  'ann.smith',
  'Rosa1234',
  'windörfer',
  'WINDO\u0308RFER1',
  'rosawindörfer',
  'strawpoll1',
])('%s is refused because it resembles the data of the account, or the name of the site', (password) => {
  expect(weaknessOf(password)).toBe('own');
  expect(passwordFindings('password', passwordStrength(password, {}, '')).map(({ params }) => params)).not.toEqual([
    { weakness: 'own' },
  ]);
});

test.each(['correct horse battery', 'a windy day', 'another one', 'rosa plants 9 beans', 'xK4#tq9z', 'Žluťoučký kůň'])(
  '%s is accepted',
  (password) => expect(weaknessOf(password)).toBeNull(),
);

test('longer passwords are stronger', () => {
  const scores = ['elephant', 'blue guitar', 'third windy day of may'].map(
    (password) => passwordStrength(password, {}).score,
  );
  expect(scores).toEqual(scores.toSorted());
  expect(scores[2]).toBe(4);
});

test('no password takes long to assess', () => {
  const hostile = [
    '@4$53v3n1!0'.repeat(18),
    'zZ1!'.repeat(50),
    'lL1|!iI'.repeat(28),
    '2011'.repeat(50),
    'a'.repeat(200),
  ];
  for (const password of hostile) passwordStrength(password, rosa);
  const before = process.cpuUsage();
  for (const password of hostile) passwordStrength(password, rosa);
  const { user } = process.cpuUsage(before);
  expect(user / 1_000 / hostile.length).toBeLessThan(100);
});
