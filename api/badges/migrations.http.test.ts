import { expect, test } from 'vitest';
import { badgeKeys, badgeTargets } from '#contract/badges.ts';
import type { BadgeKey } from '#contract/badges.ts';
import { badges } from '#domain/badges/rules.ts';
import type { Database } from '#platform/database.ts';
import { migrate } from '#platform/database.ts';
import { dummyHash } from '#platform/password-hash.ts';
import { naiveBadges, naiveCounts, randomHistory } from '#api/testing/badge-histories.ts';
import type { BadgeEvent } from '#api/testing/badge-histories.ts';
import { awardAll, badgesOf, eventsOf, expectAllAwarded, shownFigures } from '#api/testing/badge-state.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedDiscussedPoll, seedMember } from '#api/testing/discussions.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { seededRandom } from '#api/testing/random.ts';
import { testNow } from '#api/testing/test-app.ts';
import { countsByDay, newestActivities } from '#api/profile/timeline.service.ts';
import { progressFor } from './awards.service.ts';

const day = 86_400_000;
/** Replaces facts. */
const memberEvents = { name: '130_member_events.ts' };
const step = { name: '011_activity.ts' };
/** Computes columns from those the step adds. */
const later = { name: '014_hot_ballots.ts' };
/** Stores whether sign-ups were early. */
const latest = { name: '024_early_adopters.ts' };
/** Rename the votes that the step reads, and give them another format. */
const compactVotes = [{ name: '027_ballot_keys.ts' }, { name: '028_compact_votes.ts' }];
/** Refer to the keys of ballots. */
const ballotKeys = [
  memberEvents.name,
  '105_ballot_papers.ts',
  '104_nonces.ts',
  '100_protection.ts',
  '103_known_devices.ts',
  '096_log_differences.ts',
  '088_network_votes.ts',
  '089_independent_votes.ts',
  '093_reopened_logs.ts',
  '061_insights.ts',
  '048_community_lists_sorted.ts',
  '034_guesses.ts',
  '033_option_days.ts',
  '032_integrity_scores.ts',
  '031_vote_log.ts',
  '030_integrity.ts',
];
const qualifiedPolls = { name: '051_qualified_polls_and_report_queue.ts' };

eachDatabase((open) => {
  test('what members did before events existed earns badges, too', async () => {
    const { db } = await open();
    const referring = ballotKeys.map((name) => ({ name }));
    for (const migration of [...referring, ...compactVotes.toReversed(), latest, later, step])
      await db.migrate.down(migration);
    expect(await db.schema.hasTable('facts')).toBe(false);
    await seedPolls(db, [{ id: 'p' }]);
    for (const id of ['anna', 'ben']) await seedMember(db, id);
    await db('users')
      .where({ id: 'ben' })
      .update({ created_at: testNow + 1 });
    await seedDiscussedPoll(db, { id: 'tea', createdBy: 'anna', visibility: 'private', guests: ['ben'] });
    await db('community_polls').update({ category: 'Business & Finance', comment_count: 1, featured: true });
    await db('ballot_options').insert({ ballot_id: 'tea', option_id: 'o1', position: 0, text: 'Tea', votes: 1 });
    await db('ballots').where({ id: 'tea' }).update({ total_votes: 1, closed_at: testNow, is_active: false });
    await db('community_poll_guests').update({ accepted_at: testNow });
    const at = { created_at: testNow, updated_at: testNow };
    await db('comments').insert({ id: 'c', poll_id: 'tea', user_id: 'ben', content: 'Ünïcödé 😀', ...at });
    for (const [voter, ballot_id] of [
      ['ben', 'tea'],
      ['ben', 'p'],
      [null, 'p'],
    ] as const)
      await db('votes').insert({
        ballot_id,
        option_id: 'o1',
        voter_fingerprint: `device of ${voter}`,
        user_id: voter,
        created_at: testNow,
      });

    for (const migration of [step, later, latest]) await db.migrate.up(migration);
    await migrate(db, { voterKey: 'a voter key of thirty-two letters' });
    await awardAll(db);
    expect(await eventsOf(db, 'anna', 'member.joined')).toMatchObject([{ at: testNow, details: { early: true } }]);
    expect(await eventsOf(db, 'anna', 'poll.created')).toMatchObject([
      { subject: 'tea', details: { visibility: 'private', category: 'Business & Finance', options: 1 } },
    ]);
    expect(await eventsOf(db, 'ben', 'comment.posted')).toMatchObject([
      { at: testNow, subject: 'c', details: { poll: 'tea', full: false } },
    ]);
    expect(await eventsOf(db, 'ben', 'member.joined')).toMatchObject([{ details: { early: true } }]);
    expect((await progressFor(db, 'anna')).mostVotes).toBe(1);
    expect(await badgesOf(db, 'anna')).toEqual(['early_adopter', 'front_page']);
    expect(await badgesOf(db, 'ben')).toEqual(['by_invitation', 'comments_1', 'early_adopter', 'votes_1']);
    await expectAllAwarded(db);
  });

  test('earlier sign-ups are early among the first hundred, or within 90 days of the first account', async () => {
    const { db } = await open();
    for (const migration of [memberEvents, latest]) await db.migrate.down(migration);
    const signUps = [
      { id: 'first', at: testNow, membersBefore: 0 },
      { id: 'hundredth', at: testNow + 200 * day, membersBefore: 99 },
      { id: 'crowd', at: testNow + 90 * day - 1, membersBefore: 5_000 },
      { id: 'late', at: testNow + 90 * day, membersBefore: 100 },
    ];
    const signUp = async ({ id, at, membersBefore }: (typeof signUps)[number]) => {
      await seedMember(db, id);
      await db('users').where({ id }).update({ created_at: at });
      const details = JSON.stringify({ membersBefore });
      await db('facts').insert({ user_id: id, fact: 'account_created', subject: '', at, details });
    };
    for (const one of signUps) await signUp(one);
    // A demonstration account, older than the first member.
    await seedMember(db, 'locked');
    await db('users').where({ id: 'locked' }).update({ created_at: 0, password: dummyHash });
    await db.migrate.up(latest);
    // A process of the previous release may still be running.
    await signUp({ id: 'straggler', at: testNow + 1, membersBefore: 4 });
    await db.migrate.up(memberEvents);
    for (const [id, isEarly] of [
      ['first', true],
      ['hundredth', true],
      ['crowd', true],
      ['late', false],
      ['straggler', true],
    ] as const)
      expect([id, await eventsOf(db, id, 'member.joined')]).toMatchObject([id, [{ details: { early: isEarly } }]]);
  });

  test('earlier polls count for badges if five others have voted on them, whether or not they still exist', async () => {
    const { db } = await open();
    for (const migration of [memberEvents, qualifiedPolls]) await db.migrate.down(migration);
    await seedMember(db, 'anna');
    const poll = { visibility: 'public', category: null, options: 2 } as const;
    const at = testNow;
    for (const [pollId, votes] of Object.entries({ four: 4, five: 5, 'five-and-own': 6, 'four-and-own': 5 })) {
      await insertFact(db, 'anna', { type: 'poll_created', at, pollId, ...poll });
      await insertFact(db, 'anna', { type: 'own_poll_voted', at, pollId, votes });
      const own = { kind: 'community', category: null, ownPoll: true, startsAt: 0, endsAt: null } as const;
      if (pollId.endsWith('-own')) await insertFact(db, 'anna', { type: 'vote_cast', at, ballotId: pollId, ...own });
    }
    for (const migration of [qualifiedPolls, memberEvents]) await db.migrate.up(migration);
    expect((await progressFor(db, 'anna')).counts).toMatchObject({ polls: 4, qualifiedPolls: 2 });
  });

  test('[D7.3] random histories come to the same badges, figures, activities, and days as before', async () => {
    const { db } = await open();
    await db.migrate.down(memberEvents);
    const random = seededRandom(40_002);
    const histories = new Map(
      Array.from({ length: 6 }, (_, n) => [`member-${n}`, asFacts(randomHistory(random, random.whole(20, 400)))]),
    );
    for (const [id, history] of histories) await insertHistory(db, id, history);
    const before = await db('badges').orderBy('id');
    const activities = await db('activities').orderBy(['created_at', 'id']).select<ActivityRow[]>();
    const days = await db('activity_days').orderBy('day').select<{ user_id: string; day: number; count: number }[]>();
    await db.migrate.up(memberEvents);
    for (const [id, history] of histories) {
      const figures = shownFigures(await progressFor(db, id));
      for (const [key, count] of Object.entries(naiveCounts(history)) as [BadgeKey, number][])
        expect([id, key, figures[key]]).toEqual([id, key, Math.min(count, badgeTargets[key])]);
      const shown = await newestActivities(db, id, { type: undefined, before: null });
      const own = activities.filter(({ user_id }) => user_id === id);
      expect(shown.toReversed().map(({ type, subject }) => [type, subject])).toEqual(
        own.map(({ activity_type, entity_id }) => [newNames[activity_type], entity_id]),
      );
      expect(await countsByDay(db, id)).toEqual(
        days.filter(({ user_id }) => user_id === id).map(({ day: date, count }) => ({ day: date, count })),
      );
    }
    await expectAllAwarded(db);
    expect(await db('badges').orderBy('id')).toEqual(before);
  });
});

interface ActivityRow {
  readonly user_id: string;
  readonly activity_type: keyof typeof newNames;
  readonly entity_id: string;
}

const newNames = {
  vote: 'vote.cast',
  poll_created: 'poll.created',
  comment: 'comment.posted',
  badge_earned: 'badge.earned',
} as const;

/** A history as facts can be: each once, and the total of a poll that has closed is that of its result. */
function asFacts(history: readonly BadgeEvent[]): BadgeEvent[] {
  const once = new Map(history.map((event) => [`${event.type} ${subjectOf(event)}`, event]));
  for (const event of once.values())
    if (event.type === 'own_poll_closed')
      once.set(`own_poll_voted ${event.pollId}`, { ...event, type: 'own_poll_voted' });
  return [...once.values()].toSorted((a, b) => a.at - b.at);
}

function subjectOf(event: BadgeEvent): string {
  switch (event.type) {
    case 'account_created':
      return '';
    case 'day_active':
      return String(Math.floor(event.at / day));
    case 'vote_cast':
      return event.ballotId;
    case 'comment_posted':
      return event.commentId;
    case 'invite_accepted':
      return `${event.pollId}/${event.guestId}`;
    case 'badge_earned':
      return event.badge;
    default:
      return event.pollId;
  }
}

async function insertFact(db: Database, userId: string, event: BadgeEvent): Promise<void> {
  const { type, at, ...details } = event;
  const amount = event.type === 'own_poll_voted' ? event.votes : 'comments' in event ? event.comments : null;
  const row = { user_id: userId, fact: type, subject: subjectOf(event), at, amount, details: JSON.stringify(details) };
  await db('facts').insert(row);
}

/** Facts with the badges, activities, and days that the previous release made of them. */
async function insertHistory(db: Database, userId: string, history: readonly BadgeEvent[]): Promise<void> {
  await seedMember(db, userId);
  const add = (activity_type: string, entity_id: string, created_at: number, entity_type: string, metadata: object) =>
    db('activities').insert({
      ...{ user_id: userId, activity_type, entity_id, entity_type, metadata: JSON.stringify(metadata), created_at },
    });
  const counts = new Map<number, number>();
  for (const event of history) {
    await insertFact(db, userId, event);
    if (event.type === 'vote_cast') {
      const { kind, category } = event;
      await add('vote', event.ballotId, event.at, kind === 'poll' ? 'poll' : 'community_poll', { category });
    } else if (event.type === 'poll_created') {
      const { visibility, category, options } = event;
      await add('poll_created', event.pollId, event.at, 'community_poll', { visibility, category, options });
    } else if (event.type === 'comment_posted')
      await add('comment', event.commentId, event.at, 'comment', { pollId: event.pollId });
    else continue;
    const date = Math.floor(event.at / day);
    counts.set(date, (counts.get(date) ?? 0) + 1);
  }
  for (const [date, count] of counts) await db('activity_days').insert({ user_id: userId, day: date, count });
  const last = history.at(-1)!.at;
  for (const badge of naiveBadges(history, categoryOfCore)) {
    await db('badges').insert({ user_id: userId, badge_type: badge, earned_at: last });
    await add('badge_earned', badge, last, 'badge', { category: badges[badge].category, tier: badges[badge].tier });
  }
}

const categoryOfCore = new Map(
  badgeKeys.flatMap((key) => (badges[key].tier === 'core' ? [[key, badges[key].category] as const] : [])),
);
