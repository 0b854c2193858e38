import { expect, test } from 'vitest';
import { accountKey, nameFindings, usernameKeys } from './account-rules.ts';

const refusal = (names: Parameters<typeof nameFindings>[0]) =>
  nameFindings(names, 'Weathervane').map(({ instancePath, keyword }) => `${instancePath.slice(1)} ${keyword}`);

test.each([
  ['Ana'],
  ['O’Brien'],
  ['Jean-Luc'],
  ['José María'],
  ['李小龙'],
  ['Иван'],
  ['Stafford'],
  ['Modesto'],
  ['علی\u200cرضا'],
  ['ශ්\u200dරී'],
  ['👩\u200d💻 Ana'],
])('a person can be called %s', (firstName) => {
  expect(refusal({ firstName })).toEqual([]);
});

test.each([
  ['\u202eana'],
  ['a\u2066na'],
  ['Ana\u200b'],
  ['A\u00adna'],
  ['Ana\ufe0f'],
  ['a\u200db'],
  ['Ana \u2800'],
  ['a\nb'],
  ['a\ud800'],
])('a name has no characters that are invisible or change the direction of text (%j)', (name) => {
  expect(refusal({ firstName: name, lastName: name })).toEqual(['firstName unprintable', 'lastName unprintable']);
});

test.each([
  ['Weathervane'],
  ['Weather Vane'],
  ['WeatherVane Team'],
  ['W3athervane'],
  ['Ｗｅａｔｈｅｒｖａｎｅ'],
  ['Moderator'],
  ['M0derator'],
  ['Móderators'],
  ['Ana (Moderator)'],
  ['aDmIn'],
  ['TheAdmin2'],
  ['Staff'],
  ['Ana Creator'],
  ['Support Team'],
  ['a former member'],
])('a name doesn’t read like the site or those who run it (%s)', (name) => {
  expect(refusal({ firstName: name })).toEqual(['firstName reserved']);
  expect(refusal({ lastName: name })).toEqual(['lastName reserved']);
});

test('first and last name, and usernames, are no way around the reserved names', () => {
  expect(refusal({ firstName: 'Weather', lastName: 'Vane' })).toEqual(['firstName reserved']);
  expect(refusal({ firstName: 'Support', lastName: 'Team' })).toEqual(['firstName reserved']);
  for (const username of ['weathervane', 'Weathervane.Team', 'site-admin', 'the_moderator', 'system', 'support'])
    expect(refusal({ username }), username).toEqual(['username reserved']);
  for (const username of ['ana', 'Ben.O', 'b_ad-min.ton', 'member-12', '...'])
    expect(refusal({ username })).toEqual([]);
});

test('a name has no @ and no word of alphabets that look alike', () => {
  expect(refusal({ firstName: 'Ana @ben' })).toEqual(['firstName handle']);
  expect(refusal({ lastName: 'W\u0435athervane' })).toEqual(['lastName lookalike']);
  expect(refusal({ firstName: 'Ivan Иван' })).toEqual([]);
});

test('a username is the same with an @ before it, in any case of letters, and with the period of its sentence', () => {
  expect(accountKey(' @Ben.O ')).toBe('ben.o');
  expect(usernameKeys('@Ben.O.')).toEqual(['ben.o.', 'ben.o']);
  expect(usernameKeys('ana')).toEqual(['ana']);
});
