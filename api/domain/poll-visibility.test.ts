import { describe, expect, test } from 'vitest';
import { visibilities } from '#contract/vocabulary.ts';
import type { Visibility } from '#contract/vocabulary.ts';
import { permissionsOf } from './poll-visibility.ts';
import type { GuardedPoll, Viewer } from './poll-visibility.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const day = 86_400_000;

const viewers = {
  stranger: { userId: null, invited: false, blocked: false },
  member: { userId: 'ben', invited: false, blocked: false },
  invited: { userId: 'cleo', invited: true, blocked: false },
  creator: { userId: 'anna', invited: false, blocked: false },
  // The creator's account was deleted: nobody can sign in to it.
  former: { userId: null, invited: false, blocked: false },
} as const satisfies Record<string, Viewer>;
type Who = keyof typeof viewers;

const phases = {
  upcoming: { isActive: true, startsAt: now + 1, endsAt: now + day, closedAt: null },
  open: { isActive: true, startsAt: now, endsAt: null, closedAt: null },
  closed: { isActive: false, startsAt: now - day, endsAt: now + day, closedAt: now - 1 },
} as const;
type Phase = keyof typeof phases;

/** What each may do while the poll is upcoming, open, closed: the specification of the policy. */
const policy: Record<Visibility, Record<Who, Record<Phase, string>>> = {
  public: {
    stranger: { upcoming: 'see list', open: 'see list vote', closed: 'see list' },
    member: { upcoming: 'see list comment', open: 'see list vote comment', closed: 'see list comment' },
    invited: { upcoming: 'see list comment', open: 'see list vote comment', closed: 'see list comment' },
    creator: {
      upcoming: 'see list comment edit close delete judge moderate',
      open: 'see list vote comment edit close delete judge moderate',
      closed: 'see list comment edit delete judge moderate',
    },
    former: { upcoming: 'see list', open: 'see list vote', closed: 'see list' },
  },
  unlisted: {
    stranger: { upcoming: 'see', open: 'see vote', closed: 'see' },
    member: { upcoming: 'see comment', open: 'see vote comment', closed: 'see comment' },
    invited: { upcoming: 'see comment', open: 'see vote comment', closed: 'see comment' },
    creator: {
      upcoming: 'see comment edit close delete judge moderate',
      open: 'see vote comment edit close delete judge moderate',
      closed: 'see comment edit delete judge moderate',
    },
    former: { upcoming: 'see', open: 'see vote', closed: 'see' },
  },
  private: {
    stranger: { upcoming: '', open: '', closed: '' },
    member: { upcoming: '', open: '', closed: '' },
    invited: { upcoming: 'see comment', open: 'see vote comment', closed: 'see comment' },
    creator: {
      upcoming: 'see comment invite edit close delete judge moderate',
      open: 'see vote comment invite edit close delete judge moderate',
      closed: 'see comment invite edit delete judge moderate',
    },
    former: { upcoming: '', open: '', closed: '' },
  },
};

function allowed(poll: GuardedPoll, viewer: Viewer): string {
  return Object.entries(permissionsOf(poll, viewer, now))
    .filter(([, may]) => may)
    .map(([name]) => name)
    .join(' ');
}

describe.each([...visibilities])('of a %s poll', (visibility) => {
  test.each(Object.keys(viewers) as Who[])(
    '[S4.6] the %s may do what the policy allows before, during, and after the poll',
    (who) => {
      for (const phase of Object.keys(phases) as Phase[]) {
        const createdBy = who === 'former' ? null : 'anna';
        const poll = { ...phases[phase], visibility, commentsOpen: true, takenDown: false, createdBy };
        expect(allowed(poll, viewers[who]), phase).toBe(policy[visibility][who][phase]);
      }
    },
  );

  test('nobody gets the permissions of a creator whose account is deleted', () => {
    const poll = { ...phases.open, visibility, commentsOpen: true, takenDown: false, createdBy: null };
    for (const who of Object.keys(viewers) as Who[])
      expect(allowed(poll, viewers[who])).not.toMatch(/invite|close|delete|moderate/);
  });

  test('a signed-out visitor is never a guest', () => {
    const poll = { ...phases.open, visibility, commentsOpen: true, takenDown: false, createdBy: 'anna' };
    expect(allowed(poll, { userId: null, invited: true, blocked: false })).toBe(policy[visibility].stranger.open);
  });

  test('with comments turned off only the creator comments, and a blocked member never does', () => {
    const poll = { ...phases.open, visibility, takenDown: false, createdBy: 'anna' };
    const commenting = (commentsOpen: boolean, viewer: Viewer) =>
      permissionsOf({ ...poll, commentsOpen }, viewer, now).comment;
    expect(Object.values(viewers).map((viewer) => commenting(false, viewer))).toEqual([
      false,
      false,
      false,
      true,
      false,
    ]);
    expect(commenting(true, { ...viewers.invited, blocked: true })).toBe(false);
  });
});
