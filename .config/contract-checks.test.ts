import checkEmailChange from 'virtual:contract-check/emailChange';
import checkLogin from 'virtual:contract-check/login';
import checkNewComment from 'virtual:contract-check/newComment';
import checkNewCommunityPoll from 'virtual:contract-check/newCommunityPoll';
import checkNewInvite from 'virtual:contract-check/newInvite';
import checkPasswordChange from 'virtual:contract-check/passwordChange';
import checkPasswordConfirmation from 'virtual:contract-check/passwordConfirmation';
import checkPasswordReset from 'virtual:contract-check/passwordReset';
import checkPollContent from 'virtual:contract-check/pollContent';
import checkRecovery from 'virtual:contract-check/recovery';
import checkRegistration from 'virtual:contract-check/registration';
import checkReport from 'virtual:contract-check/report';
import checkResetRequest from 'virtual:contract-check/resetRequest';
import checkUserChange from 'virtual:contract-check/userChange';
import checkUserDeletion from 'virtual:contract-check/userDeletion';
import { describe, expect, test } from 'vitest';
import { emptyContent } from '#domain/poll-draft.ts';
import { compileSchema } from '#platform/validation.ts';
import { checkInput } from '#site/client/check-input.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { checkedSchemas, checkSource } from './contract-checks.ts';

const inBrowser = {
  login: checkLogin,
  registration: checkRegistration,
  userChange: checkUserChange,
  passwordChange: checkPasswordChange,
  userDeletion: checkUserDeletion,
  passwordConfirmation: checkPasswordConfirmation,
  recovery: checkRecovery,
  passwordReset: checkPasswordReset,
  emailChange: checkEmailChange,
  resetRequest: checkResetRequest,
  newCommunityPoll: checkNewCommunityPoll,
  newComment: checkNewComment,
  newInvite: checkNewInvite,
  report: checkReport,
  pollContent: checkPollContent,
};
type Name = keyof typeof checkedSchemas;

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
  login: [
    person,
    {},
    { username: '', password: '' },
    { ...person, remember: true },
    { username: 7, password: null },
    [],
    null,
  ],
  registration: [
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
  userChange: [
    {},
    { firstName: null, lastName: 'B', profileImageUrl: null },
    { profileImageUrl: 'https://pictures.example/anna.png' },
    { firstName: 'x'.repeat(101), lastName: 3, username: 'other' },
  ],
  passwordChange: [
    { currentPassword: 'secret', newPassword: 'windy day' },
    { currentPassword: '', newPassword: '12345' },
    {},
  ],
  userDeletion: [person, { username: '', password: '' }, { username: 'x'.repeat(31) }, {}],
  passwordConfirmation: [{ password: 'secret' }, { password: '' }, {}],
  recovery: [
    { username: 'anna', code: 'abcdef', newPassword: 'a windy day' },
    { username: '', code: '', newPassword: '12345' },
    { username: 'anna', code: 'x'.repeat(101), newPassword: 'y'.repeat(201) },
  ],
  passwordReset: [{ token: 'x', newPassword: 'a windy day' }, { token: '', newPassword: '12345' }, {}],
  emailChange: [{ email: 'anna@example.org', password: 'x' }, { email: 'anna@', password: '' }, {}],
  resetRequest: [{ username: 'anna' }, { username: '' }, {}],
  newCommunityPoll: [
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
  newComment: [{ content: 'Well said.' }, { content: '' }, { content: emoji }, { content: `${emoji}!` }, {}],
  report: [
    ...[{}, { category: 'spam', reason: 'Advertising', author: true, email: 'eve@bücher.example' }],
    ...[{ category: 'boring' }, { email: 'nobody' }, { email: '' }, { reason: 'x'.repeat(501) }],
  ],
  pollContent: [
    emptyContent,
    { ...emptyContent, question: emoji },
    { ...emptyContent, question: `${emoji}!`, description: 'x'.repeat(5_001), category: 'x'.repeat(1_000) },
    { ...emptyContent, options: [{ id: '1', text: 'x'.repeat(301) }], tags: Array.from({ length: 31 }, () => 'x') },
    { ...emptyContent, startsAt: 'tomorrow', summary: '\u0000', publishBallots: 'yes' },
    {},
  ],
  newInvite: [{ usernameOrEmail: 'ben' }, { usernameOrEmail: '' }, { usernameOrEmail: 'x'.repeat(255) }, {}],
};

describe.each(Object.keys(checkedSchemas) as Name[])('%s', (name) => {
  test('the browser reports the same errors as the server for every body', () => {
    const onServer = compileSchema(checkedSchemas[name], 'json');
    const said = { nothing: 0, something: 0 };
    for (const body of bodies[name]) {
      const sentences = onServer(structuredClone(body)) ? [] : fieldErrors(onServer.errors);
      expect(checkInput<unknown>(inBrowser[name], structuredClone(body))).toEqual(sentences);
      said[sentences.length === 0 ? 'nothing' : 'something']++;
    }
    expect(Math.min(said.nothing, said.something)).toBeGreaterThan(0);
  });

  test('the check compiles nothing in the browser and loads no module', () => {
    expect(checkSource(name)).not.toMatch(/new Function|\beval\b|\brequire\b/);
  });
});

test('an unknown schema is refused by name', () => {
  expect(() => checkSource('vote')).toThrow('No schema is checked by the name "vote"');
});
