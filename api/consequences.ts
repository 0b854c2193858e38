import { awardCreators, awardMembers, awardVoters } from './members/badges/awards.service.ts';
import { subscribe } from './events/record.service.ts';
import type { Consequences } from './events/record.service.ts';
import { openStarted } from './polls/lifecycle/opening.service.ts';
import { revokeFeeds } from './members/notifications/feed.service.ts';
import { notifyMembers, withdrawNotifications } from './members/notifications/notify.service.ts';
import { countArchive } from './polls/archive-counters.service.ts';
import { publishPolls, publishRecounts, publishSite } from './publishing/changes.service.ts';
import { updateSearch } from './search/search-index.service.ts';
import { sendWebhooks } from './admin/webhooks/events.service.ts';

/**
 * What follows from what, in the transaction that records it, whoever does it. A process imports this module before it
 * records an event: the API service and commands both do. Other admin events have no consequence but their entry in
 * the audit log, and others of members and publishes none: activities, figures, badges, and the list of publishes are queries.
 */
export const consequences: Consequences = {
  'poll.created': [updateSearch, publishPolls, openStarted, countArchive],
  'poll.opened': [publishPolls, sendWebhooks],
  'poll.edited': [updateSearch, publishPolls, openStarted, countArchive],
  'poll.restore': [updateSearch, publishPolls, openStarted, countArchive],
  'votes.protection': [updateSearch, publishPolls],
  'poll.closed': [updateSearch, publishPolls, sendWebhooks, countArchive, awardCreators],
  'poll.reopened': [updateSearch, publishPolls, openStarted, countArchive],
  'poll.feature': [publishPolls, awardCreators],
  'poll.hidden': [updateSearch, publishPolls],
  'poll.shown': [updateSearch, publishPolls, openStarted],
  // Search loses what is deleted by itself.
  'poll.removed': [publishPolls, countArchive],
  'poll.unpublish': [publishPolls, countArchive],
  'demonstration.remove': [publishPolls, countArchive],

  'votes.held': [publishRecounts],
  'votes.set-aside': [publishRecounts, sendWebhooks],
  'votes.decide': [publishRecounts, sendWebhooks, awardCreators, awardVoters],

  'site.publish': [publishSite],
  'publishing.use': [publishSite],
  'publishing.resume': [publishSite],

  'comment.posted': [notifyMembers],
  'comment.edited': [notifyMembers],
  'comment.hidden': [notifyMembers],
  'comment.removed': [notifyMembers],
  'comment.shown': [withdrawNotifications],
  'moderation.decide': [notifyMembers],
  'moderation.appeal': [notifyMembers],
  'suspension.ended': [notifyMembers],
  'invitation.sent': [notifyMembers],
  'invitation.followed': [awardMembers],
  'invitation.accepted': [awardMembers],
  'poll.featured': [notifyMembers],
  'answer.waiting': [notifyMembers],
  'badge.earned': [notifyMembers],
  'sign-in.asked': [notifyMembers],
  'sign-in.answered': [withdrawNotifications],
  'account.recovered': [revokeFeeds],

  'report.filed': [sendWebhooks],
  'site.published': [sendWebhooks],
  'desk.needs-decision': [sendWebhooks],
};

// Rows are locked in this order: accounts before polls, as where an account is deleted.
subscribe(consequences, [
  notifyMembers,
  withdrawNotifications,
  revokeFeeds,
  updateSearch,
  publishPolls,
  publishRecounts,
  publishSite,
  sendWebhooks,
  openStarted,
  countArchive,
  awardCreators,
  awardMembers,
  awardVoters,
]);
