/** Where a call is and how it is kept: all that the browser needs to make it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path with `:name` for each parameter. */
  readonly path: string;
  /** `public`: the same for everybody and kept for minutes. Left out: never kept. */
  readonly cache?: 'public';
  /** The call reads the device id from its header. */
  readonly device?: 'required' | 'optional';
  /** The call is for signed-in people; others are answered 401 before anything else is looked at. */
  readonly signedIn?: true;
  /** The call takes an Idempotency-Key: a repeated one is answered with the first result. */
  readonly idempotent?: true;
  /** The call is the operator's: it carries the admin password in its header, `adminPasswordHeader`. */
  readonly admin?: true;
}

/**
 * Method and path of every call, apart from the schemas (endpoints.ts), so that a page does not carry schemas that
 * only the server checks.
 */
export const routes = {
  health: { method: 'GET', path: '/api/health' },
  metrics: { method: 'GET', path: '/api/metrics' },
  openapi: { method: 'GET', path: '/api/openapi.json', cache: 'public' },
  activePolls: { method: 'GET', path: '/api/polls/active', device: 'optional' },
  statistics: { method: 'GET', path: '/api/statistics' },
  poll: { method: 'GET', path: '/api/polls/:id', device: 'optional' },
  vote: { method: 'POST', path: '/api/polls/:id/vote', device: 'required' },
  historicalPolls: { method: 'GET', path: '/api/polls/historical/paginated' },
  relatedPolls: { method: 'GET', path: '/api/polls/related/:category/:id', cache: 'public' },
  user: { method: 'GET', path: '/api/user' },
  login: { method: 'POST', path: '/api/login', device: 'optional' },
  loginPage: { method: 'GET', path: '/api/login' },
  register: { method: 'POST', path: '/api/register', device: 'optional' },
  logout: { method: 'POST', path: '/api/logout' },
  updateUser: { method: 'PATCH', path: '/api/user', signedIn: true },
  changePassword: { method: 'POST', path: '/api/user/password', signedIn: true },
  userSummary: { method: 'GET', path: '/api/user/summary', signedIn: true },
  exportUser: { method: 'GET', path: '/api/user/export', signedIn: true },
  deleteUser: { method: 'DELETE', path: '/api/user', signedIn: true },
  profile: { method: 'GET', path: '/api/user/profile', signedIn: true },
  activities: { method: 'GET', path: '/api/user/activities', signedIn: true },
  activityDays: { method: 'GET', path: '/api/user/activity-days', signedIn: true },
  badges: { method: 'GET', path: '/api/user/badges', signedIn: true },
  announceBadges: { method: 'POST', path: '/api/user/badges/announced', signedIn: true },
  pollShared: { method: 'POST', path: '/api/user/shares', signedIn: true },
  pollOpened: { method: 'POST', path: '/api/user/opened', signedIn: true },
  featuredCommunityPolls: { method: 'GET', path: '/api/community-polls/featured' },
  communityCategories: { method: 'GET', path: '/api/community-polls/categories', cache: 'public' },
  communityPolls: { method: 'GET', path: '/api/community-polls' },
  createCommunityPoll: { method: 'POST', path: '/api/community-polls', signedIn: true, idempotent: true },
  communityPoll: { method: 'GET', path: '/api/community-polls/:id', device: 'optional' },
  communityVoteStatus: { method: 'GET', path: '/api/community-polls/:id/vote/status' },
  communityVote: { method: 'POST', path: '/api/community-polls/:id/vote' },
  closeCommunityPoll: { method: 'POST', path: '/api/community-polls/:id/close', signedIn: true },
  deleteCommunityPoll: { method: 'DELETE', path: '/api/community-polls/:id', signedIn: true },
  invites: { method: 'GET', path: '/api/community-polls/:id/invites', signedIn: true },
  invite: { method: 'POST', path: '/api/community-polls/:id/invites', signedIn: true },
  removeInvite: { method: 'DELETE', path: '/api/community-polls/:id/invites/:userId', signedIn: true },
  comments: { method: 'GET', path: '/api/community-polls/:id/comments' },
  createComment: { method: 'POST', path: '/api/community-polls/:id/comments', signedIn: true, idempotent: true },
  deleteComment: { method: 'DELETE', path: '/api/community-polls/:id/comments/:commentId', signedIn: true },
  reportComment: { method: 'POST', path: '/api/community-polls/:id/comments/:commentId/report', signedIn: true },
  blogs: { method: 'GET', path: '/api/blogs', cache: 'public' },
  featuredBlogs: { method: 'GET', path: '/api/blogs/featured', cache: 'public' },
  blog: { method: 'GET', path: '/api/blogs/:slug', cache: 'public' },
  bulkUpload: { method: 'POST', path: '/api/polls/bulk-upload' },
  adminSession: { method: 'POST', path: '/api/admin/session' },
  publishing: { method: 'GET', path: '/api/admin/publishing', admin: true },
  rebuildSite: { method: 'POST', path: '/api/admin/builds', admin: true },
  unpinRelease: { method: 'DELETE', path: '/api/admin/releases/pin', admin: true },
  useRelease: { method: 'POST', path: '/api/admin/releases/:id/use', admin: true },
  reportedComments: { method: 'GET', path: '/api/admin/comments', admin: true },
  hideComment: { method: 'POST', path: '/api/admin/comments/:commentId/hidden', admin: true },
  featureCommunityPoll: { method: 'POST', path: '/api/admin/community-polls/:id/featured', admin: true },
  imports: { method: 'GET', path: '/api/admin/imports', admin: true },
  undoPreview: { method: 'GET', path: '/api/admin/imports/:id/undo', admin: true },
  undoImport: { method: 'POST', path: '/api/admin/imports/:id/undo', admin: true },
  managedPolls: { method: 'GET', path: '/api/admin/polls', admin: true },
  closePoll: { method: 'POST', path: '/api/admin/polls/:id/close', admin: true },
  reopenPoll: { method: 'POST', path: '/api/admin/polls/:id/reopen', admin: true },
  editPoll: { method: 'PATCH', path: '/api/admin/polls/:id', admin: true },
  voteBursts: { method: 'GET', path: '/api/admin/bursts', admin: true },
  removeDemonstration: { method: 'DELETE', path: '/api/admin/demonstration', admin: true },
} as const satisfies Record<string, Route>;

export type EndpointName = keyof typeof routes;

/** The path of a call with its parameters filled in and percent-encoded, and its query behind it. */
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
