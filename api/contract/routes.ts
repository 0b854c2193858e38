import type { JSONSchema } from 'json-schema-to-ts';
import type { ErrorCode } from './error-codes.ts';

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

/** An endpoint of the API with its input and output. */
export interface Endpoint extends Route {
  readonly summary: string;
  /** For signed-in members; others get 401 before anything else is checked. */
  readonly signedIn?: true;
  /** Accepts an Idempotency-Key: a repeated request gets the first result. */
  readonly idempotent?: true;
  /** For the operator: requires the admin password in `adminPasswordHeader`. */
  readonly admin?: true;
  readonly params?: JSONSchema;
  readonly query?: JSONSchema;
  readonly body?: JSONSchema;
  /** The type of a body that is not JSON; its handler reads it. */
  readonly bodyType?: 'image/*';
  /** Status and schema of a successful response. */
  readonly status: 200 | 201 | 202 | 204 | 302;
  readonly response?: JSONSchema;
  /** The type of a response that is not JSON. */
  readonly responseType?: 'text/plain' | 'text/csv' | 'application/atom+xml' | 'image/webp';
  /** Codes beyond the general ones (not found, rate limited, internal). */
  readonly errors: readonly ErrorCode[];
}

/**
 * Method and path of every endpoint. Separate from the schemas (endpoints.ts), which would only add weight to the scripts of
 * pages.
 */
export const routes = {
  health: { method: 'GET', path: '/api/health' },
  metrics: { method: 'GET', path: '/api/metrics' },
  openapi: { method: 'GET', path: '/api/openapi.json', cache: 'public' },
  interventions: { method: 'GET', path: '/api/integrity' },
  activePolls: { method: 'GET', path: '/api/polls/active', device: 'optional' },
  statistics: { method: 'GET', path: '/api/statistics' },
  poll: { method: 'GET', path: '/api/polls/:id', device: 'optional' },
  vote: { method: 'POST', path: '/api/polls/:id/vote', device: 'required' },
  guess: { method: 'POST', path: '/api/polls/:id/guesses', device: 'optional' },
  historicalPolls: { method: 'GET', path: '/api/polls/historical/paginated' },
  topic: { method: 'GET', path: '/api/topics/:kind/:slug' },
  pollIntegrity: { method: 'GET', path: '/api/polls/:id/integrity' },
  pollInclusion: { method: 'GET', path: '/api/polls/:id/integrity/inclusion' },
  pollConsistency: { method: 'GET', path: '/api/polls/:id/integrity/consistency' },
  pollSiteEntries: { method: 'GET', path: '/api/polls/:id/integrity/site-entries' },
  pollBallots: { method: 'GET', path: '/api/polls/:id/integrity/ballots/:version' },
  siteConsistency: { method: 'GET', path: '/api/integrity/consistency' },
  relatedPolls: { method: 'GET', path: '/api/polls/related/:category/:id', cache: 'public' },
  search: { method: 'GET', path: '/api/search' },
  searchSuggestions: { method: 'GET', path: '/api/search/suggestions' },
  user: { method: 'GET', path: '/api/user' },
  login: { method: 'POST', path: '/api/login', device: 'optional' },
  loginPage: { method: 'GET', path: '/api/login' },
  register: { method: 'POST', path: '/api/register', device: 'optional' },
  logout: { method: 'POST', path: '/api/logout' },
  updateUser: { method: 'PATCH', path: '/api/user' },
  uploadPicture: { method: 'POST', path: '/api/user/picture' },
  picture: { method: 'GET', path: '/api/pictures/:hash', cache: 'immutable' },
  changePassword: { method: 'POST', path: '/api/user/password' },
  accountSecurity: { method: 'GET', path: '/api/user/security' },
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
  notificationFeed: { method: 'GET', path: '/api/notification-feeds/:secret' },
  featuredCommunityPolls: { method: 'GET', path: '/api/community-polls/featured' },
  communityCategories: { method: 'GET', path: '/api/community-polls/categories', cache: 'public' },
  communityPolls: { method: 'GET', path: '/api/community-polls', device: 'optional' },
  communityPollCount: { method: 'GET', path: '/api/community-polls/count', device: 'optional' },
  createCommunityPoll: { method: 'POST', path: '/api/community-polls' },
  communityPoll: { method: 'GET', path: '/api/community-polls/:id', device: 'optional' },
  communityVoteStatus: { method: 'GET', path: '/api/community-polls/:id/vote/status' },
  communityVote: { method: 'POST', path: '/api/community-polls/:id/vote' },
  editCommunityPoll: { method: 'PATCH', path: '/api/community-polls/:id' },
  communityPollEdits: { method: 'GET', path: '/api/community-polls/:id/edits' },
  communityPollCsv: { method: 'GET', path: '/api/community-polls/:id/results.csv' },
  closeCommunityPoll: { method: 'POST', path: '/api/community-polls/:id/close' },
  deleteCommunityPoll: { method: 'DELETE', path: '/api/community-polls/:id' },
  ownDecisions: { method: 'GET', path: '/api/community-polls/:id/decisions' },
  setOwnVotesAside: { method: 'POST', path: '/api/community-polls/:id/decisions' },
  decideOwnVotes: { method: 'POST', path: '/api/community-polls/:id/decisions/:number' },
  invites: { method: 'GET', path: '/api/community-polls/:id/invites' },
  invite: { method: 'POST', path: '/api/community-polls/:id/invites' },
  removeInvite: { method: 'DELETE', path: '/api/community-polls/:id/invites/:userId' },
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
  blogs: { method: 'GET', path: '/api/blogs', cache: 'public' },
  featuredBlogs: { method: 'GET', path: '/api/blogs/featured', cache: 'public' },
  blog: { method: 'GET', path: '/api/blogs/:slug', cache: 'public' },
  bulkUpload: { method: 'POST', path: '/api/polls/bulk-upload' },
  adminSession: { method: 'POST', path: '/api/admin/session' },
  publishing: { method: 'GET', path: '/api/admin/publishing' },
  rebuildSite: { method: 'POST', path: '/api/admin/builds' },
  unpinRelease: { method: 'DELETE', path: '/api/admin/releases/pin' },
  useRelease: { method: 'POST', path: '/api/admin/releases/:id/use' },
  moderationDecisions: { method: 'GET', path: '/api/user/moderation' },
  appeal: { method: 'POST', path: '/api/user/moderation/:id/appeal' },
  reportQueue: { method: 'GET', path: '/api/admin/reports' },
  moderationScope: { method: 'GET', path: '/api/admin/moderation/scope' },
  moderationLog: { method: 'GET', path: '/api/admin/moderation' },
  moderate: { method: 'POST', path: '/api/admin/moderation' },
  decideAppeal: { method: 'POST', path: '/api/admin/moderation/:id/appeal' },
  featureCommunityPoll: { method: 'POST', path: '/api/admin/community-polls/:id/featured' },
  imports: { method: 'GET', path: '/api/admin/imports' },
  undoPreview: { method: 'GET', path: '/api/admin/imports/:id/undo' },
  undoImport: { method: 'POST', path: '/api/admin/imports/:id/undo' },
  managedPolls: { method: 'GET', path: '/api/admin/polls' },
  closePoll: { method: 'POST', path: '/api/admin/polls/:id/close' },
  reopenPoll: { method: 'POST', path: '/api/admin/polls/:id/reopen' },
  editPoll: { method: 'PATCH', path: '/api/admin/polls/:id' },
  previewTexts: { method: 'POST', path: '/api/admin/polls/:id/preview' },
  voteBursts: { method: 'GET', path: '/api/admin/bursts' },
  suspicions: { method: 'GET', path: '/api/admin/suspicions' },
  switchChallenge: { method: 'POST', path: '/api/admin/suspicions/:id/challenge' },
  setVotesAside: { method: 'POST', path: '/api/admin/suspicions/:id/decisions' },
  decideVotes: { method: 'POST', path: '/api/admin/suspicions/:id/decisions/:number' },
  findMembers: { method: 'GET', path: '/api/admin/members' },
  removePicture: { method: 'DELETE', path: '/api/admin/members/:id/picture' },
  createResetLink: { method: 'POST', path: '/api/admin/members/:id/reset-link' },
  removeDemonstration: { method: 'DELETE', path: '/api/admin/demonstration' },
} as const satisfies Record<string, Route>;

export type EndpointName = keyof typeof routes;

/** The URL of an endpoint with percent-encoded parameters and query. */
export function pathOf(
  name: EndpointName,
  params: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const path = routes[name].path.replace(/:(\w+)/g, (_, key: string) => {
    const value = params[key];
    if (value === undefined) throw new Error(`The path of ${name} needs the parameter ${key}.`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value));
  return search.size > 0 ? `${path}?${search}` : path;
}
