import { afterEach, expect, test } from 'vitest';
import type { CommunityPoll } from './community-polls.contract.ts';
import { endpoints } from '#api/endpoints.contract.ts';
import type { EndpointName } from '#api/endpoints.contract.ts';
import { pathOf } from '#domain/path-of.ts';
import { visibilities } from '#contract/vocabulary.ts';
import type { Visibility } from '#contract/vocabulary.ts';
import { ask, castVote, invited, made, newPoll } from '#api/testing/community-polls.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { registered, visitor } from '#api/testing/people.ts';
import type { Member, Visitor } from '#api/testing/people.ts';
import { startTestApp } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';

/** The order in which they use a new poll; the creator last, who may close or delete it. */
const people = ['stranger', 'deleted', 'member', 'invited', 'creator'] as const;
type Who = (typeof people)[number];
/** The expected status per person, with the error code of refusals. */
type Row = readonly [stranger: string, deleted: string, member: string, invited: string, creator: string];

const signIn = '401 UNAUTHENTICATED';
const auth = '401 PRIVATE_POLL_AUTH_REQUIRED';
const denied = '403 PRIVATE_POLL_ACCESS_DENIED';
const no = '403 FORBIDDEN';

const everyone: Row = ['200', '200', '200', '200', '200'];
const readers = (done: string): Record<Visibility, Row> => ({
  public: [done, done, done, done, done],
  unlisted: [done, done, done, done, done],
  private: [auth, auth, denied, done, done],
});
const seeing = readers('200');
const members = (done: string): Record<Visibility, Row> => ({
  public: [signIn, signIn, done, done, done],
  unlisted: [signIn, signIn, done, done, done],
  private: [signIn, signIn, denied, done, done],
});
const creator = (done: string): Record<Visibility, Row> => ({
  public: [signIn, signIn, no, no, done],
  unlisted: [signIn, signIn, no, no, done],
  private: [signIn, signIn, denied, no, done],
});
/** For all others, there is no such poll. */
const screen: Row = [signIn, signIn, '404 POLL_NOT_FOUND', '404 POLL_NOT_FOUND', '200'];
const host = (done: string): Record<Visibility, Row> => ({
  public: [signIn, signIn, no, no, no],
  unlisted: [signIn, signIn, no, no, no],
  private: [signIn, signIn, denied, no, done],
});

/** The access table. Every new endpoint of community polls needs a row. */
const aboutOne: Readonly<Record<string, Record<Visibility, Row>>> = {
  communityPoll: seeing,
  communityVoteStatus: seeing,
  communityVote: seeing,
  comments: seeing,
  comment: seeing,
  createComment: members('201'),
  reportPoll: readers('204'),
  reportComment: readers('204'),
  editComment: members('403 FORBIDDEN'),
  deleteComment: creator('204'),
  communityScreen: { public: screen, unlisted: screen, private: screen },
  closeCommunityPoll: creator('200'),
  waitingAnswers: creator('200'),
  reviewAnswer: creator('404 NOT_FOUND'),
  ownFlags: creator('200'),
  decideOwnFlag: creator('404 NOT_FOUND'),
  decideOwnVotes: creator('404 NOT_FOUND'),
  deleteCommunityPoll: creator('204'),
  invites: host('200'),
  invite: host('201'),
  removeInvite: host('204'),
  inviteLink: host('200'),
  createInviteLink: host('201'),
  revokeInviteLink: host('204'),
  editCommunityPoll: creator('200'),
  communityPollEdits: seeing,
  communityPollCsv: creator('200'),
  hideOwnComment: creator('204'),
  blocks: creator('200'),
  blockAuthor: creator('204'),
  // Last: until then, the author of the comments is blocked.
  unblock: creator('204'),
};
const aboutMany: Readonly<Record<string, Row>> = {
  featuredCommunityPolls: everyone,
  communityCategories: everyone,
  communityPolls: everyone,
  communityPollCount: everyone,
  createCommunityPoll: [signIn, signIn, '201', '201', '201'],
};

const secrets = {
  question: 'Does the heron nest on the northern roof?',
  description: 'Only the committee knows of the ladder.',
  options: [
    { id: 'option-1', text: 'Heron yes' },
    { id: 'option-2', text: 'Heron no' },
  ],
};
const creatorName = 'Philomena Quandary';
const secretBytes = [...[...Object.values(secrets)].flat(), creatorName, 'a heron said'].map((secret) =>
  typeof secret === 'string' ? secret : secret.text,
);

oneDatabase((open) => {
  let app: TestApp | undefined;
  afterEach(() => app?.close());

  interface Town {
    readonly by: Record<Who, Visitor>;
    readonly creator: Member;
    /** A second guest, who comments. */
    readonly guest: Member;
  }

  async function start() {
    const { db } = await open();
    app = await startTestApp(db);
    const person = (name: string) => registered(app!, name);
    const [first = '', last = ''] = creatorName.split(' ');
    const creator = await registered(app, 'philomena', { firstName: first, lastName: last });
    const [member, guest] = [await person('ben'), await person('guest')];
    const by = {
      stranger: visitor(app),
      deleted: await person('gone'),
      member,
      invited: await person('cleo'),
      creator,
    };
    return { db, app, town: { by, creator, guest } satisfies Town };
  }

  /** A new poll with a comment, and with two guests if it is private. */
  async function pollOf({ creator, guest }: Town, visibility: Visibility): Promise<{ id: string; commentId: string }> {
    const { id } = await made(creator, { ...secrets, visibility });
    if (visibility === 'private') for (const name of ['cleo', 'guest', 'gone']) await invited(creator, id, name);
    const { body } = await ask<{ id: string }>(guest, `/api/community-polls/${id}/comments`, 'POST', {
      content: 'a heron said',
    });
    return { id, commentId: body.id };
  }

  /** What a request needs besides the poll. */
  function bodyOf(name: string, by: Visitor, { commentId = '', inviting = '' }): unknown {
    if (name === 'communityVote') return { optionId: 'option-1', voterFingerprint: by.device };
    if (name === 'createComment' || name === 'editComment') return { content: 'Well.' };
    if (name.startsWith('report')) return {};
    if (name === 'decideOwnVotes') return { action: 'release' };
    if (name === 'reviewAnswer') return { action: 'reject' };
    if (name === 'decideOwnFlag') return { flag: 'none' };
    if (name === 'invite') return { usernameOrEmail: inviting };
    if (name === 'createInviteLink') return { days: 7, maxUses: 25 };
    if (name === 'editCommunityPoll') return { commentsOpen: true };
    if (name === 'hideOwnComment') return { hidden: true };
    if (name === 'blockAuthor') return { commentId };
    return name === 'createCommunityPoll' ? newPoll : undefined;
  }

  async function call(name: string, by: Visitor, params: Readonly<Record<string, string>> = {}, inviting = '') {
    const query = name === 'communityVoteStatus' ? { fingerprint: by.device } : {};
    const { method } = endpoints[name as EndpointName];
    const { status, body, headers } = await ask(
      by,
      pathOf(name as EndpointName, params, query),
      method,
      bodyOf(name, by, { ...params, inviting }),
    );
    return {
      answered: status < 300 ? String(status) : `${status} ${body.code}`,
      text: JSON.stringify([body, [...headers]]),
      cacheControl: headers.get('cache-control'),
    };
  }

  test('[D6.1] the access table covers every community poll endpoint', () => {
    const calls = Object.entries(endpoints).filter(([, { path }]) => path.startsWith('/api/community-polls'));
    const [many, one] = [false, true].map((hasId) =>
      calls.filter(([, { path }]) => path.includes(':id') === hasId).map(([name]) => name),
    );
    expect(Object.keys(aboutOne).sort()).toEqual(one?.sort());
    expect(Object.keys(aboutMany).sort()).toEqual(many?.sort());
  });

  test.each([...visibilities])(
    '[S1.11 S4.6 S6.4 D6.1 D6.2 D6.6 D6.9] every endpoint of a %s poll answers those whom the access table allows and shows others nothing',
    async (visibility) => {
      const { db, app, town } = await start();
      await registered(app, 'newcomer');
      await db('users').where({ username: 'gone' }).del();
      await registered(app, 'gone');
      for (const [name, rows] of Object.entries(aboutOne)) {
        const { id, commentId } = await pollOf(town, visibility);
        const answers: string[] = [];
        for (const who of people) {
          const params = { id, commentId, userId: town.guest.user.id, number: '1', answer: 'write-in-1' };
          const { answered, text, cacheControl } = await call(name, town.by[who], params, 'newcomer');
          answers.push(answered);
          expect(cacheControl, name).toBe('no-store');
          if (!answered.startsWith('2'))
            for (const secret of secretBytes) expect(text, `${name} by ${who}`).not.toContain(secret);
        }
        expect([name, ...answers]).toEqual([name, ...rows[visibility]]);
      }
    },
  );

  test('[S6.2] endpoints of many polls answer those whom the access table allows', async () => {
    const { db, town } = await start();
    await db('users').where({ username: 'gone' }).del();
    for (const [name, row] of Object.entries(aboutMany)) {
      const answers: string[] = [];
      for (const who of people) answers.push((await call(name, town.by[who])).answered);
      expect([name, ...answers]).toEqual([name, ...row]);
    }
  });

  test('[D6.1 D6.4] unlisted and private polls are in no list, statistic, or other endpoint for anyone', async () => {
    const { db, town } = await start();
    for (const visibility of ['unlisted', 'private'] as const) {
      const { id } = await pollOf(town, visibility);
      // Even if featured by mistake.
      await db('community_polls').where({ id }).update({ featured: true });
      for (const who of people) {
        const by = town.by[who];
        for (const path of [
          '/api/community-polls?limit=50',
          '/api/community-polls?category=Lifestyle&visibility=public',
          '/api/community-polls/featured',
          ...(who === 'stranger' || who === 'creator' ? [] : ['/api/community-polls?visibility=mine']),
          '/api/polls/active',
          '/api/polls/historical/paginated',
          '/api/polls/related/Lifestyle/x',
          `/api/polls/${id}`,
        ]) {
          const text = JSON.stringify((await ask(by, path)).body);
          for (const secret of secretBytes) expect(text, `${path} by ${who}`).not.toContain(secret);
        }
      }
      await castVote(town.creator, id);
    }
    expect((await ask(town.creator, '/api/statistics')).body).toMatchObject({ totalVotes: 0, totalPolls: 0 });
  });

  test('a private poll whose creator’s account is deleted is open to its guests and managed by nobody', async () => {
    const { db, town } = await start();
    const { id } = await pollOf(town, 'private');
    await db('users').where({ id: town.creator.user.id }).del();
    const { body } = await ask<CommunityPoll>(town.by.invited, `/api/community-polls/${id}`);
    expect(body).toMatchObject({ question: secrets.question, createdByName: 'a former member' });
    for (const name of ['closeCommunityPoll', 'deleteCommunityPoll', 'invites'])
      expect((await call(name, town.by.invited, { id })).answered).toBe(no);
    expect((await call('communityPoll', town.creator, { id })).answered).toBe(auth);
    expect((await call('communityPoll', town.by.member, { id })).answered).toBe(denied);
  });
});
