import { Type } from 'typebox';
import { runoffSchema } from '#api/polls/community/community-polls.contract.ts';
import { pollIdParams } from '#api/polls/polls.contract.ts';
import { get } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import { closed, count, described, named, nullable, oneOf } from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';
import { ballotMethods } from '#contract/vocabulary.ts';

/** A poll as a screen shows it to the people in a room. */
const pollScreenSchema = named('PollScreen', {
  question: Type.String(),
  options: Type.Array(closed({ id: Type.String(), text: Type.String(), votes: count })),
  totalVotes: described(count, 'Counted votes: the base of percentages'),
  method: oneOf(ballotMethods, { description: 'How a vote chooses; of ranked ones, first choices are counted' }),
  minChoices: described(count, 'The least options of a vote'),
  maxChoices: described(count, 'The most options of a vote'),
  runoff: Type.Optional(runoffSchema),
  phase: oneOf(['upcoming', 'open', 'closed']),
  address: described(Type.String(), 'Of the poll’s page'),
  room: nullable(
    closed({
      address: described(Type.String(), 'Of the poll’s page, with the code that the screen shows now'),
      qrCode: closed({
        size: described(count, 'Width and height, with its margin'),
        path: described(Type.String(), 'Its dark parts, as the path of an SVG'),
      }),
    }),
    { description: 'null unless the poll is open' },
  ),
});
export type PollScreen = Static<typeof pollScreenSchema>;

const errors = ['POLL_NOT_FOUND'] as const;

/** What screens ask for every second: polls, and the codes with which the limits per address don’t hold for a room. */
export const screenEndpoints = {
  pollScreen: {
    ...get('/api/admin/polls/:id/screen'),
    admin: 'operator',
    summary: 'A poll for a screen in a room, and the code that it shows there',
    params: pollIdParams,
    status: 200,
    response: pollScreenSchema,
    errors: [...errors, 'ADMIN_REQUIRED'],
  },
  communityScreen: {
    ...get('/api/community-polls/:id/screen'),
    client: false,
    signedIn: true,
    summary: 'The same of one of the caller’s community polls',
    params: pollIdParams,
    status: 200,
    response: pollScreenSchema,
    errors: [...errors, 'UNAUTHENTICATED'],
  },
} as const satisfies Record<string, Endpoint>;
