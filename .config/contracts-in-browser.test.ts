import checkEmailChange from 'virtual:check/EmailChange';
import checkLogin from 'virtual:check/Login';
import checkNewComment from 'virtual:check/NewComment';
import checkNewCommunityPoll from 'virtual:check/NewCommunityPoll';
import checkNewInvite from 'virtual:check/NewInvite';
import checkPasswordChange from 'virtual:check/PasswordChange';
import checkPasswordConfirmation from 'virtual:check/PasswordConfirmation';
import checkPasswordReset from 'virtual:check/PasswordReset';
import checkPollContent from 'virtual:check/PollContent';
import checkRecovery from 'virtual:check/Recovery';
import checkRegistration from 'virtual:check/Registration';
import checkReport from 'virtual:check/Report';
import checkResetRequest from 'virtual:check/ResetRequest';
import checkUserChange from 'virtual:check/UserChange';
import checkUserDeletion from 'virtual:check/UserDeletion';
import { describe, expect, test } from 'vitest';
import { emptyContent } from '#domain/poll-draft.ts';
import { compileSchema } from '#platform/validation.ts';
import { checkInput } from '#site/client/check-input.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { checkSource, schemaNamed } from './contracts-in-browser.ts';

const inBrowser = {
  Login: checkLogin,
  Registration: checkRegistration,
  UserChange: checkUserChange,
  PasswordChange: checkPasswordChange,
  UserDeletion: checkUserDeletion,
  PasswordConfirmation: checkPasswordConfirmation,
  Recovery: checkRecovery,
  PasswordReset: checkPasswordReset,
  EmailChange: checkEmailChange,
  ResetRequest: checkResetRequest,
  NewCommunityPoll: checkNewCommunityPoll,
  NewComment: checkNewComment,
  NewInvite: checkNewInvite,
  Report: checkReport,
  PollContent: checkPollContent,
};
type Name = keyof typeof inBrowser;

const person = { username: 'anna', password: 'windy day' };
const poll = {
  question: 'Tea?',
  visibility: 'public',
  options: [
    { id: 'option-1', text: 'Yes' },
    { id: 'option-2', text: 'No' },
  ],
};
const emoji = '🌬'.repeat(500);

/** Valid and invalid bodies from people and programs. */
const bodies: Record<Name, readonly unknown[]> = {
  Login: [
    person,
    {},
    { username: '', password: '' },
    { ...person, remember: true },
    { username: 7, password: null },
    [],
    null,
  ],
  Registration: [
    person,
    { username: 'ab', password: '12345', email: 'nobody' },
    { username: 'Ünal', password: '123456' },
    { username: 'a b', password: '🌬🌬🌬🌬🌬' },
    { username: 'x'.repeat(31), password: 'y'.repeat(201) },
    ...['a@b.example', 'a@b', 'a.b+c@d.e.example', '@b.example', 'a@b.example ', 'ä@b.example', ''].map((email) => ({
      ...person,
      email,
    })),
    { ...person, firstName: emoji, lastName: '🌬'.repeat(100) },
    { ...person, firstName: '\ud83c', admin: true },
    {},
  ],
  UserChange: [
    {},
    { firstName: null, lastName: 'B', profileImageUrl: null },
    { profileImageUrl: 'https://pictures.example/anna.png' },
    { firstName: 'x'.repeat(101), lastName: 3, username: 'other' },
  ],
  PasswordChange: [
    { currentPassword: 'secret', newPassword: 'windy day' },
    { currentPassword: '', newPassword: '12345' },
    {},
  ],
  UserDeletion: [person, { username: '', password: '' }, { username: 'x'.repeat(31) }, {}],
  PasswordConfirmation: [{ password: 'secret' }, { password: '' }, {}],
  Recovery: [
    { username: 'anna', code: 'abcdef', newPassword: 'a windy day' },
    { username: '', code: '', newPassword: '12345' },
    { username: 'anna', code: 'x'.repeat(101), newPassword: 'y'.repeat(201) },
  ],
  PasswordReset: [{ token: 'x', newPassword: 'a windy day' }, { token: '', newPassword: '12345' }, {}],
  EmailChange: [{ email: 'anna@example.org', password: 'x' }, { email: 'anna@', password: '' }, {}],
  ResetRequest: [{ username: 'anna' }, { username: '' }, {}],
  NewCommunityPoll: [
    poll,
    { ...poll, category: 'Science', description: '', startsAt: null, endsAt: '2026-12-01T10:00:00.000Z' },
    { ...poll, startsAt: 'tomorrow', endsAt: '2026-02-30T10:00:00Z' },
    { ...poll, startsAt: '2026-12-01T10:00', endsAt: '2016-12-31T23:59:60Z' },
    { ...poll, category: 'Gossip', visibility: 'secret', question: '' },
    { ...poll, question: emoji, description: '🌬'.repeat(2_001) },
    { ...poll, options: [] },
    {
      ...poll,
      options: [
        { id: 'option-1', text: '' },
        { id: 'one', text: 'x'.repeat(121), votes: 3 },
      ],
    },
    { ...poll, options: Array.from({ length: 11 }, (_, index) => ({ id: `option-${index}`, text: 'x' })) },
    { options: 'two' },
  ],
  NewComment: [{ content: 'Well said.' }, { content: '' }, { content: emoji }, { content: `${emoji}!` }, {}],
  Report: [
    ...[{}, { category: 'spam', reason: 'Advertising', author: true, email: 'eve@bücher.example' }],
    ...[{ category: 'boring' }, { email: 'nobody' }, { email: '' }, { reason: 'x'.repeat(501) }],
  ],
  PollContent: [
    emptyContent,
    { ...emptyContent, question: emoji },
    { ...emptyContent, question: `${emoji}!`, description: 'x'.repeat(5_001), category: 'x'.repeat(1_000) },
    { ...emptyContent, options: [{ id: '1', text: 'x'.repeat(301) }], tags: Array.from({ length: 31 }, () => 'x') },
    { ...emptyContent, startsAt: 'tomorrow', summary: '\u0000', publishBallots: 'yes' },
    {},
  ],
  NewInvite: [{ usernameOrEmail: 'ben' }, { usernameOrEmail: '' }, { usernameOrEmail: 'x'.repeat(255) }, {}],
};

describe.each(Object.keys(inBrowser) as Name[])('%s', (name) => {
  test('the browser reports the same errors as the server for every body', () => {
    const onServer = compileSchema(schemaNamed(name)!, 'json');
    const said = { nothing: 0, something: 0 };
    for (const body of bodies[name]) {
      const sentences = onServer(structuredClone(body)) ? [] : fieldErrors(onServer.errors);
      expect(checkInput(inBrowser[name], structuredClone(body))).toEqual(sentences);
      said[sentences.length === 0 ? 'nothing' : 'something']++;
    }
    expect(Math.min(said.nothing, said.something)).toBeGreaterThan(0);
  });

  test('the check compiles nothing in the browser and loads no module', () => {
    expect(checkSource(name)).not.toMatch(/new Function|\beval\b|\brequire\b/);
  });
});

test('an unknown schema is refused by name', () => {
  expect(() => checkSource('Vote')).toThrow('No schema of the contract has the $id "Vote"');
});
