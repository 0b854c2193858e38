import { afterEach, expect, test } from 'vitest';
import type { CommunityPoll } from './community-polls.contract.ts';
import { resultVisibilities } from '#contract/vocabulary.ts';
import type { ResultVisibility } from '#contract/vocabulary.ts';
import { pictureOfCommunityPoll } from '#domain/social-picture.ts';
import { ask, castVote, made } from '#api/testing/community-polls.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { registered, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';

const counted = ({ options }: Pick<CommunityPoll, 'options'>) => options.every(({ votes }) => votes !== null);

oneDatabase((open, engine) => {
  let app: TestApp | undefined;
  afterEach(() => app?.close());

  test('every place that shows results follows the creator’s choice, before and after a vote and after the end', async () => {
    const { db } = await open();
    app = await startTestApp(db);
    const anna = await registered(app, 'anna');
    const [voter, reader] = [await registered(app, 'voter'), visitor(app)];
    /** Whether each way to read the poll has its counts. */
    const seenBy = async (by: Visitor, id: string) => {
      const page = await ask<CommunityPoll>(by, `/api/community-polls/${id}`);
      const list = (await ask<CommunityPoll[]>(by, '/api/community-polls?limit=50')).body;
      const featured = (await ask<CommunityPoll[]>(by, '/api/community-polls/featured')).body;
      const [card, lead] = [list, featured].map((polls) => polls.find((poll) => poll.id === id)!);
      const again = await castVote(by, id, 'option-2');
      const views = [page.body, card!, lead!, ...(again.body.poll ? [again.body.poll as CommunityPoll] : [])].map(
        counted,
      );
      expect(new Set(views).size, JSON.stringify(views)).toBe(1);
      return views[0];
    };
    const seen: Record<string, unknown> = {};
    for (const resultVisibility of resultVisibilities) {
      const { id } = await made(anna, { question: `Who sees ${resultVisibility}?`, resultVisibility });
      await db('community_polls').where({ id }).update({ featured: true });
      const before = (await ask<CommunityPoll>(reader, `/api/community-polls/${id}`)).body;
      const { body: response } = await castVote(voter, id);
      const open = [counted(before), counted(response), await seenBy(voter, id), counted(await ownPoll(id))];
      app.clock.set(testNow + 60_000);
      await ask(anna, `/api/community-polls/${id}/close`, 'POST');
      const closed = (await ask<CommunityPoll>(visitor(app), `/api/community-polls/${id}`)).body;
      seen[resultVisibility] = [...open, counted(closed), pictureOfCommunityPoll(closed).kind];
    }
    async function ownPoll(id: string) {
      return (await ask<CommunityPoll>(anna, `/api/community-polls/${id}`)).body;
    }
    expect(seen).toEqual({
      'after-voting': [false, true, true, true, true, 'result'],
      always: [true, true, true, true, true, 'result'],
      'after-end': [false, false, false, true, true, 'result'],
      creator: [false, false, false, true, false, 'open'],
    } satisfies Record<ResultVisibility, unknown>);
    const { body } = await ask<{ notifications: { kind: string; poll: { question: string } }[] }>(
      voter,
      '/api/user/notifications',
    );
    const results = body.notifications.filter(({ kind }) => kind === 'result').map(({ poll }) => poll.question);
    expect(results.toSorted()).toEqual(['Who sees after-end?', 'Who sees after-voting?', 'Who sees always?']);
  });

  test.runIf(engine === 'SQLite')('ballots of a poll whose results the creator keeps are never published', async () => {
    const { db } = await open();
    app = await startTestApp(db);
    const anna = await registered(app, 'anna');
    const { publishBallots } = await made(anna, { resultVisibility: 'creator', publishBallots: true });
    expect(publishBallots).toBe(false);
  });
});
