import type { Notification } from '#api/members/notifications/notifications.contract.ts';
import type { DigestPeriod, MutableKind } from '#contract/vocabulary.ts';
import { badgeWords } from './badges.ts';
import { commentAnchor } from './comments.ts';
import { decisionsTexts, decisionText, reportOutcomeText } from './moderation.ts';
import type { MailLine, MailSite, MailText } from './mail.ts';

type NotificationFacts = Pick<
  Notification,
  'kind' | 'poll' | 'badges' | 'people' | 'lastPerson' | 'hidden' | 'decision'
>;

/** What a notification says, as a sentence without HTML. */
export function notificationText({
  kind,
  poll,
  badges,
  people,
  lastPerson,
  hidden,
  decision,
}: NotificationFacts): string {
  const question = poll === null ? '' : `“${poll.question}”`;
  const on = poll === null ? '' : ` on ${question}`;
  switch (kind) {
    case 'invited':
      return `You’re invited to vote on ${question}`;
    case 'comment':
      return `${commenters(people, lastPerson ?? 'Someone')} commented on your poll ${question}`;
    case 'answer':
      return `Your poll ${question} has a new answer to review`;
    case 'reply':
      return `${lastPerson ?? 'Someone'} replied to your comment on ${question}`;
    case 'mention':
      return `${lastPerson ?? 'Someone'} mentioned you on ${question}`;
    case 'result':
      return `The result is in: ${question}`;
    case 'featured':
      return `Your poll ${question} is featured`;
    case 'badge':
      return earnedText(badges.map((badge) => badgeWords[badge].name));
    case 'sign-in':
      return 'Someone signs in with your password on a new device. Is it you?';
    case 'report':
      if (decision !== undefined) return reportOutcomeText(decision);
      return `A comment you reported${on} was ${hidden ? 'hidden by the poll’s creator' : 'removed'}`;
    case 'moderation':
      if (decision !== undefined) return decisionText(decision, question);
      return `Your comment${on} was ${hidden ? 'hidden by the poll’s creator' : 'removed'}`;
  }
}

function earnedText(names: readonly string[]): string {
  if (names.length === 0) return 'You earned a badge';
  if (names.length === 1) return `You earned the badge ${names[0]!}`;
  return `You earned ${names.length} badges: ${new Intl.ListFormat('en-US').format(names)}`;
}

function commenters(people: number, last: string): string {
  const others = people - 1;
  if (others <= 0) return last;
  return others === 1 ? `${last} and one other person` : `${last} and ${others.toLocaleString('en-US')} others`;
}

/** The path a notification links to; null if there is none. */
export function notificationPath({
  kind,
  poll,
  comment,
  decision,
}: Pick<Notification, 'kind' | 'poll' | 'comment' | 'decision'>): string | null {
  if (kind === 'moderation' && decision !== undefined) return decisionsTexts.path;
  if (kind === 'badge') return '/profile/badges';
  if (kind === 'sign-in') return '/profile/account#sign-ins';
  if (poll === null) return null;
  const path = `${poll.kind === 'poll' ? '/poll' : '/community-polls'}/${poll.id}`;
  return comment === undefined ? path : path + commentAnchor(comment);
}

/** The bell in the navigation. */
export const bellTexts = {
  label: (unread: number) => (unread === 0 ? 'Notifications' : `Notifications, ${count(unread)} unread`),
  count: (unread: number) => (unread > 99 ? '99+' : String(unread)),
} as const;

const count = (unread: number) => unread.toLocaleString('en-US');

/** The page with a member’s notifications and their settings. */
export const notificationTexts = {
  path: '/profile/notifications',
  pageTitle: 'Notifications',
  description: 'News about your polls and the polls you voted on.',
  loading: 'Loading your notifications',
  unread: (unread: number) => (unread === 0 ? 'You’re all caught up.' : `${count(unread)} unread`),
  isUnread: 'Unread',
  reason: (reason: string) => `Reason: ${reason}`,
  markRead: 'Mark as read',
  markReadOf: (text: string) => `Mark as read: ${text}`,
  markAll: 'Mark all as read',
  emptyTitle: 'Nothing here yet',
  emptyText:
    'Invitations, comments on your polls, replies to your comments, and results of polls you voted on will appear here.',
  emptyAction: 'See today’s polls',
  failedTitle: 'We couldn’t load your notifications',
  markFailed: 'We couldn’t mark that as read',
  pages: 'Pages of notifications',
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  newer: 'Newer',
  older: 'Older',
  settings: {
    heading: 'What we notify you about',
    text: 'We always tell you when a moderator decides about your account, polls, or comments. Changes apply from now on.',
    failed: 'We couldn’t save that setting',
    kinds: {
      invited: 'Someone invites me to a private poll',
      answer: 'Someone writes an answer to my poll that I can review',
      comment: 'Someone comments on my poll',
      reply: 'Someone replies to my comment',
      mention: 'Someone mentions me with @ and my username',
      result: 'A poll I voted on has a result',
      featured: 'My poll is featured',
      badge: 'I earn a badge',
      report: 'My report was handled',
    } satisfies Record<MutableKind, string>,
  },
  digest: {
    heading: 'By email',
    text: (address: string) =>
      `Your unread notifications, sent to ${address}. If there’s nothing new, you won’t get an email.`,
    failed: 'We couldn’t save that setting',
    noAddress: 'Confirm an email address on your account page first.',
    periods: { off: 'Never', daily: 'Once a day', weekly: 'Once a week' } satisfies Record<DigestPeriod, string>,
  },
  feed: {
    heading: 'Follow in a feed reader',
    text: 'A personal feed shows these notifications in your feed reader. Anyone with its address can read them, so keep it to yourself.',
    create: 'Create feed address',
    replace: 'Create a new address',
    revoke: 'Delete the address',
    existing: (day: string) =>
      `You created an address on ${day}. We keep only a digest of it, so we can’t show it again. A new address replaces it.`,
    label: 'Address of your feed',
    once: 'Copy the address now: we show it only once.',
    revoked: { title: 'The feed address no longer works' },
    failed: 'We couldn’t change the feed address',
    title: (siteName: string) => `Notifications from ${siteName}`,
  },
} as const;

/** The mail with a member’s unread notifications. */
export const digestMail = (site: MailSite, list: readonly MailLine[], unsubscribe: string): MailText => ({
  subject: `What’s new for you on ${site.siteName}`,
  paragraphs: ['You haven’t read these notifications yet:'],
  list,
  action: { label: 'See all notifications', url: site.publicUrl + notificationTexts.path },
  footer: [
    { text: site.siteName, url: site.publicUrl },
    { text: 'Unsubscribe', url: unsubscribe },
  ],
});
