/** Method, path and caching of an endpoint: all that the browser needs to call it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path with `:name` for each parameter. */
  readonly path: string;
  /**
   * `public`: the same for everyone, cached for minutes. `immutable`: never changes, kept by browsers only, so that what is
   * removed is in no shared cache. Omitted: never cached.
   */
  readonly cache?: 'public' | 'immutable';
  /** The endpoint reads the device id from its header. */
  readonly device?: 'required' | 'optional';
}

/**
 * Endpoints that pages call with `callApi` or link to. Without those of the operator and the server (routes.ts), which would
 * only add weight to pages with a ballot.
 */
export const clientRoutes = {
  activePolls: { method: 'GET', path: '/api/polls/active', device: 'optional' },
  statistics: { method: 'GET', path: '/api/statistics' },
  poll: { method: 'GET', path: '/api/polls/:id', device: 'optional' },
  vote: { method: 'POST', path: '/api/polls/:id/vote', device: 'required' },
  requestVoteCode: { method: 'POST', path: '/api/vote-codes', device: 'required' },
  guess: { method: 'POST', path: '/api/polls/:id/guesses', device: 'optional' },
  countShare: { method: 'POST', path: '/api/polls/:id/shares' },
  historicalPolls: { method: 'GET', path: '/api/polls/historical/paginated' },
  user: { method: 'GET', path: '/api/user' },
  login: { method: 'POST', path: '/api/login', device: 'optional' },
  register: { method: 'POST', path: '/api/register', device: 'optional' },
  logout: { method: 'POST', path: '/api/logout' },
  updateUser: { method: 'PATCH', path: '/api/user' },
  uploadPicture: { method: 'POST', path: '/api/user/picture' },
  changePassword: { method: 'POST', path: '/api/user/password' },
  accountSecurity: { method: 'GET', path: '/api/user/security' },
  answerSignIn: { method: 'POST', path: '/api/user/sign-ins' },
  endSessions: { method: 'POST', path: '/api/user/sessions/end' },
  createRecoveryCodes: { method: 'POST', path: '/api/user/recovery-codes' },
  passkeyCreation: { method: 'POST', path: '/api/user/passkeys/creation' },
  addPasskey: { method: 'POST', path: '/api/user/passkeys' },
  renamePasskey: { method: 'PATCH', path: '/api/user/passkeys/:id' },
  removePasskey: { method: 'DELETE', path: '/api/user/passkeys/:id' },
  passkeyChallenge: { method: 'POST', path: '/api/login/passkey/challenge' },
  loginWithPasskey: { method: 'POST', path: '/api/login/passkey', device: 'optional' },
  recover: { method: 'POST', path: '/api/recover', device: 'optional' },
  resetPassword: { method: 'POST', path: '/api/reset-password', device: 'optional' },
  requestPasswordReset: { method: 'POST', path: '/api/request-password-reset' },
  changeEmail: { method: 'POST', path: '/api/user/email' },
  removeEmail: { method: 'DELETE', path: '/api/user/email' },
  confirmEmail: { method: 'POST', path: '/api/confirm-email' },
  userSummary: { method: 'GET', path: '/api/user/summary' },
  exportUser: { method: 'GET', path: '/api/user/export' },
  moderationDecisions: { method: 'GET', path: '/api/user/moderation' },
  appeal: { method: 'POST', path: '/api/user/moderation/:id/appeal' },
  deleteUser: { method: 'DELETE', path: '/api/user' },
  profile: { method: 'GET', path: '/api/user/profile' },
  activities: { method: 'GET', path: '/api/user/activities' },
  activityDays: { method: 'GET', path: '/api/user/activity-days' },
  badges: { method: 'GET', path: '/api/user/badges' },
  announceBadges: { method: 'POST', path: '/api/user/badges/announced' },
  pollShared: { method: 'POST', path: '/api/user/shares' },
  pollOpened: { method: 'POST', path: '/api/user/opened' },
  notifications: { method: 'GET', path: '/api/user/notifications' },
  readNotifications: { method: 'POST', path: '/api/user/notifications/read' },
  muteNotifications: { method: 'POST', path: '/api/user/notifications/muted' },
  setDigest: { method: 'POST', path: '/api/user/notifications/digest' },
  unsubscribe: { method: 'POST', path: '/api/unsubscribe/:token' },
  createNotificationFeed: { method: 'POST', path: '/api/user/notifications/feed' },
  deleteNotificationFeed: { method: 'DELETE', path: '/api/user/notifications/feed' },
  featuredCommunityPolls: { method: 'GET', path: '/api/community-polls/featured' },
  communityCategories: { method: 'GET', path: '/api/community-polls/categories', cache: 'public' },
  communityPolls: { method: 'GET', path: '/api/community-polls', device: 'optional' },
  communityPollCount: { method: 'GET', path: '/api/community-polls/count', device: 'optional' },
  createCommunityPoll: { method: 'POST', path: '/api/community-polls' },
  communityPoll: { method: 'GET', path: '/api/community-polls/:id', device: 'optional' },
  communityVoteStatus: { method: 'GET', path: '/api/community-polls/:id/vote/status' },
  communityVote: { method: 'POST', path: '/api/community-polls/:id/vote' },
  editCommunityPoll: { method: 'PATCH', path: '/api/community-polls/:id' },
  communityPollCsv: { method: 'GET', path: '/api/community-polls/:id/results.csv' },
  closeCommunityPoll: { method: 'POST', path: '/api/community-polls/:id/close' },
  deleteCommunityPoll: { method: 'DELETE', path: '/api/community-polls/:id' },
  ownFlags: { method: 'GET', path: '/api/community-polls/:id/decisions' },
  decideOwnFlag: { method: 'POST', path: '/api/community-polls/:id/decisions' },
  decideOwnVotes: { method: 'POST', path: '/api/community-polls/:id/decisions/:number' },
  invites: { method: 'GET', path: '/api/community-polls/:id/invites' },
  invite: { method: 'POST', path: '/api/community-polls/:id/invites' },
  removeInvite: { method: 'DELETE', path: '/api/community-polls/:id/invites/:userId' },
  inviteLink: { method: 'GET', path: '/api/community-polls/:id/invite-link' },
  createInviteLink: { method: 'POST', path: '/api/community-polls/:id/invite-link' },
  revokeInviteLink: { method: 'DELETE', path: '/api/community-polls/:id/invite-link' },
  joinPoll: { method: 'POST', path: '/api/user/invitations' },
  blocks: { method: 'GET', path: '/api/community-polls/:id/blocks' },
  blockAuthor: { method: 'POST', path: '/api/community-polls/:id/blocks' },
  unblock: { method: 'DELETE', path: '/api/community-polls/:id/blocks/:userId' },
  comments: { method: 'GET', path: '/api/community-polls/:id/comments' },
  createComment: { method: 'POST', path: '/api/community-polls/:id/comments' },
  comment: { method: 'GET', path: '/api/community-polls/:id/comments/:commentId' },
  editComment: { method: 'PATCH', path: '/api/community-polls/:id/comments/:commentId' },
  deleteComment: { method: 'DELETE', path: '/api/community-polls/:id/comments/:commentId' },
  reportPoll: { method: 'POST', path: '/api/community-polls/:id/report' },
  hideOwnComment: { method: 'POST', path: '/api/community-polls/:id/comments/:commentId/hidden' },
  reportComment: { method: 'POST', path: '/api/community-polls/:id/comments/:commentId/report' },
} as const satisfies Record<string, Route>;

export type ClientEndpointName = keyof typeof clientRoutes;

/** The URL of a route with percent-encoded parameters and query. */
export function routeUrl(
  { path }: Route,
  params: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const filled = path.replace(/:(\w+)/g, (_, key: string) => {
    const value = params[key];
    if (value === undefined) throw new Error(`The path ${path} needs the parameter ${key}.`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value));
  return search.size > 0 ? `${filled}?${search}` : filled;
}
