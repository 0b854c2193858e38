import { badgeNumbers, badgeTargets as targets } from '#api/members/badges/badges.contract.ts';
import type { BadgeCategory, BadgeKey, BadgeTier } from '#api/members/badges/badges.contract.ts';

interface BadgeWords {
  readonly name: string;
  /** One friendly sentence. */
  readonly description: string;
  /** Exactly what has to be done, with the number that the rule has. Days and hours are in UTC, as the text says. */
  readonly requirement: string;
}

const hours = (from: number, until: number) =>
  `${String(from).padStart(2, '0')}:00 and ${String(until).padStart(2, '0')}:00 UTC`;
const otherVotes = `${badgeNumbers.otherVotes} votes besides your own`;
const enoughVotes = `at least ${badgeNumbers.resultVotes} votes`;

/** Words of the 54 badges, by key. */
export const badgeWords: Readonly<Record<BadgeKey, BadgeWords>> = {
  votes_1: {
    name: 'Light Air',
    description: 'The first breath of an opinion, and the vane has moved.',
    requirement: `Cast ${targets.votes_1} vote`,
  },
  votes_10: {
    name: 'Fresh Breeze',
    description: 'Ten answers in, and the leaves are rustling.',
    requirement: `Cast ${targets.votes_10} votes`,
  },
  votes_100: {
    name: 'Full Gale',
    description: 'A hundred answers: hold on to your hat.',
    requirement: `Cast ${targets.votes_100} votes`,
  },
  votes_500: {
    name: 'Hurricane Force',
    description: 'The Beaufort scale ends here, but you don’t have to.',
    requirement: `Cast ${targets.votes_500} votes`,
  },
  weekly_votes_25: {
    name: 'Week by Week',
    description: 'Some people do the crossword; you do the weekly questions.',
    requirement: `Cast ${targets.weekly_votes_25} votes on weekly polls`,
  },
  community_votes_25: {
    name: 'Good Neighbor',
    description: 'You helped other members find out what they wanted to know.',
    requirement: `Cast ${targets.community_votes_25} votes on other members’ community polls`,
  },
  vote_categories_8: {
    name: 'Boxing the Compass',
    description: 'Sailors name every point of the compass; you have opinions in as many directions.',
    requirement: `Vote in ${targets.vote_categories_8} different categories`,
  },
  first_hour_votes_3: {
    name: 'Quick off the Mark',
    description: 'The ink was barely dry when you answered.',
    requirement: `Cast ${targets.first_hour_votes_3} votes in the first hour of polls that are not your own`,
  },
  last_hour_vote: {
    name: 'Last Gasp',
    description: 'The door was closing, and your answer slipped in.',
    requirement: `Cast ${targets.last_hour_vote} vote in the last hour of a poll that is not your own`,
  },

  polls_1: {
    name: 'First Draft',
    description: 'You asked a question and let some fresh air in.',
    requirement: `Create ${targets.polls_1} community poll with at least ${otherVotes}`,
  },
  polls_10: {
    name: 'Windmill',
    description: 'Ten questions, and the sails turn steadily.',
    requirement: `Create ${targets.polls_10} community polls, each with at least ${otherVotes}`,
  },
  polls_50: {
    name: 'Wind Farm',
    description: 'Fifty questions could power a small town.',
    requirement: `Create ${targets.polls_50} community polls, each with at least ${otherVotes}`,
  },
  viral_poll: {
    name: 'Whirlwind',
    description: 'One question of yours picked up everything in its path.',
    requirement: `Get ${targets.viral_poll} votes on one of your community polls`,
  },
  mega_poll: {
    name: 'Perfect Storm',
    description: 'The right question at the right time, and a thousand answers blew in.',
    requirement: `Get ${targets.mega_poll.toLocaleString('en-US')} votes on one of your community polls`,
  },
  hot_topic: {
    name: 'Hot Air',
    description: 'People talked about your question until it took off.',
    requirement: `Get ${targets.hot_topic} comments on one of your community polls`,
  },
  every_visibility: {
    name: 'Open, Ajar, Shut',
    description: 'You know which questions are for everyone and which are for a few.',
    requirement: `Create a public, an unlisted, and a private poll, each with at least ${otherVotes}`,
  },
  poll_categories_5: {
    name: 'Signal Flags',
    description: 'Five subjects flown from one mast.',
    requirement: `Create community polls in ${targets.poll_categories_5} different categories, each with at least ${otherVotes}`,
  },

  streak_7: {
    name: 'Seven-Day Forecast',
    description: 'A week without a gap, and the outlook is good.',
    requirement: `Visit while signed in ${targets.streak_7} days in a row (UTC)`,
  },
  streak_30: {
    name: 'Fair Weather',
    description: 'Thirty days, and the barometer hasn’t budged.',
    requirement: `Visit while signed in ${targets.streak_30} days in a row (UTC)`,
  },
  streak_100: {
    name: 'Climate',
    description: 'A hundred days in a row is no longer weather.',
    requirement: `Visit while signed in ${targets.streak_100} days in a row (UTC)`,
  },
  active_days_50: {
    name: 'The Usual',
    description: 'Fifty visits, and nobody has to ask what you’re having.',
    requirement: `Visit while signed in on ${targets.active_days_50} different days (UTC)`,
  },
  opened_50: {
    name: 'Lookout',
    description: 'You saw fifty questions from the crow’s nest.',
    requirement: `Open ${targets.opened_50} different polls`,
  },
  weekend_votes_20: {
    name: 'Weekend Sailor',
    description: 'Others slept in; you had opinions.',
    requirement: `Cast ${targets.weekend_votes_20} votes on one weekend (Saturday and Sunday, UTC)`,
  },
  four_seasons: {
    name: 'Four Seasons',
    description: 'You’ve come by in coats and in sandals.',
    requirement:
      'Visit at least once in each of December–February, March–May, June–August, and September–November (UTC)',
  },
  cake_day: {
    name: 'Cake Day',
    description: 'A year on board, and there’s a slice with your name on it.',
    requirement: `Visit ${targets.cake_day} or more days after joining`,
  },
  badges_10: {
    name: 'Well Decorated',
    description: 'Ten badges, and you clink when you walk.',
    requirement: `Earn ${targets.badges_10} other badges`,
  },
  badges_25: {
    name: 'Trophy Shelf',
    description: 'Twenty-five badges: time to put up another shelf.',
    requirement: `Earn ${targets.badges_25} other badges`,
  },

  comments_1: {
    name: 'Opening Remark',
    description: 'You broke the silence.',
    requirement: `Post ${targets.comments_1} comment`,
  },
  comments_25: {
    name: 'Back and Forth',
    description: 'This is what a conversation sounds like.',
    requirement: `Post ${targets.comments_25} comments`,
  },
  comments_100: {
    name: 'Town Crier',
    description: 'A hundred comments, and the whole square can hear you.',
    requirement: `Post ${targets.comments_100} comments`,
  },
  shares_5: {
    name: 'Paper Plane',
    description: 'Folded, aimed, and let go.',
    requirement: `Copy the links of ${targets.shares_5} different polls`,
  },
  shares_25: {
    name: 'Dandelion',
    description: 'One breath, and your questions sprout everywhere.',
    requirement: `Copy the links of ${targets.shares_25} different polls`,
  },
  invites_5: {
    name: 'Air Mail',
    description: 'Five invitations arrived, and five guests came.',
    requirement: `Have ${targets.invites_5} invitations to your private polls accepted`,
  },
  invites_20: {
    name: 'Flock',
    description: 'Twenty guests fly in your slipstream.',
    requirement: `Have ${targets.invites_20} invitations to your private polls accepted`,
  },

  close_call: {
    name: 'Photo Finish',
    description: 'You asked, and it came down to a hair.',
    requirement: `Have one of your polls close with less than ${badgeNumbers.closeCallPoints} percentage points between the top two answers and ${enoughVotes}`,
  },
  landslide: {
    name: 'Prevailing Wind',
    description: 'You asked, and everyone leaned the same way.',
    requirement: `Have one of your polls close with ${badgeNumbers.landslidePercent}% or more for one answer and ${enoughVotes}`,
  },
  night_votes_5: {
    name: 'Night Watch',
    description: 'Someone has to keep an eye on the vane after midnight.',
    requirement: `Cast ${targets.night_votes_5} votes between ${hours(badgeNumbers.nightFrom, badgeNumbers.nightUntil)}`,
  },
  dawn_votes_5: {
    name: 'Dawn Chorus',
    description: 'The birds of Greenwich were up, and so were you.',
    requirement: `Cast ${targets.dawn_votes_5} votes between ${hours(badgeNumbers.nightUntil, badgeNumbers.dawnUntil)}`,
  },
  friday_13: {
    name: 'Unlucky for Some',
    description: 'Ladders, mirrors, black cats: you voted anyway.',
    requirement: `Cast ${targets.friday_13} vote on a Friday the 13th (UTC)`,
  },
  new_year: {
    name: 'New Year’s Resolution',
    description: 'You resolved to have an opinion, and kept it.',
    requirement: `Cast ${targets.new_year} vote on January 1 (UTC)`,
  },
  day_votes_10: {
    name: 'Squall',
    description: 'Sudden, short, and all at once.',
    requirement: `Cast ${targets.day_votes_10} votes in one day (UTC)`,
  },
  own_horn: {
    name: 'Own Horn',
    description: 'If you don’t blow it, who will?',
    requirement: 'Vote on one of your own community polls',
  },
  long_winded: {
    name: 'Long-Winded',
    description: 'There was room for only so many characters, and you used them all.',
    requirement: `Post a comment of ${badgeNumbers.longComment} characters`,
  },
  hat_trick: {
    name: 'Hat Trick',
    description: 'A vote, a word, and a wave, all before bedtime.',
    requirement: 'Vote, comment, and copy a poll’s link on the same day (UTC)',
  },

  front_page: {
    name: 'Front Page',
    description: 'A question of yours was too good for page two.',
    requirement: 'Have one of your community polls featured',
  },
  five_winds: {
    name: 'Five Winds',
    description: 'The ancients made do with four.',
    requirement: `Earn a core badge in each of the ${targets.five_winds} categories`,
  },
  weathercock: {
    name: 'Weathercock',
    description: 'There’s nothing above you on this spire but weather.',
    requirement: `Earn all ${targets.weathercock} core badges`,
  },

  early_adopter: {
    name: 'Early Adopter',
    description: 'You were here when the paint was still wet.',
    requirement: 'Join while the site is new',
  },
  midnight_vote: {
    name: 'Stroke of Midnight',
    description: 'The clock struck, and you answered it.',
    requirement: `Cast ${targets.midnight_vote} vote in the minute of 00:00 UTC`,
  },
  leap_day: {
    name: 'Leap Day',
    description: 'It doesn’t come around every year, but you did.',
    requirement: 'Visit while signed in on February 29 (UTC)',
  },
  solstice: {
    name: 'Turning Point',
    description: 'The sun stood still for a moment, but you didn’t.',
    requirement: `Cast ${targets.solstice} vote on June 21 or December 21 (UTC)`,
  },
  dead_calm: {
    name: 'Dead Calm',
    description: 'Your poll ended without a breath either way.',
    requirement: `Have one of your polls close with a tie for first place and ${enoughVotes}`,
  },
  ten_options: {
    name: 'Spoiled for Choice',
    description: 'All those answers, and someone still missed theirs.',
    requirement: `Create a community poll with ${badgeNumbers.mostOptions} options and at least ${otherVotes}`,
  },
  by_invitation: {
    name: 'By Invitation',
    description: 'Someone wanted an opinion, and not just anybody’s.',
    requirement: 'Open a private poll you’ve been invited to',
  },
};

export const badgeCategoryNames: Readonly<Record<BadgeCategory, string>> = {
  voting: 'Voting',
  creator: 'Creator',
  activity: 'Activity',
  community: 'Community',
  fun: 'Fun',
};

export const badgeTierNames: Readonly<Record<BadgeTier, string>> = { core: 'Core', bonus: 'Bonus', legacy: 'Surprise' };

/** The accessible name of an emblem without a caption. */
export const emblemLabel = (badge: BadgeKey, earned: boolean) =>
  earned ? `Badge: ${badgeWords[badge].name}` : `Badge: ${badgeWords[badge].name}, not earned yet`;
