import type { TSchema } from 'typebox';
import { clientRoutes, routeUrl } from './client-routes.ts';
import type { Route } from './client-routes.ts';
import type { ErrorCode } from './error-codes.ts';
import type { ApiScope, OperatorPermission } from './vocabulary.ts';

export type { Route } from './client-routes.ts';

/** An endpoint of the API with its input and output. */
export interface Endpoint extends Route {
  readonly summary: string;
  /** For signed-in members; others get 401 before anything else is checked. */
  readonly signedIn?: true;
  /** Accepts an Idempotency-Key: a repeated request gets the first result. */
  readonly idempotent?: true;
  /** For operators with this permission. */
  readonly admin?: OperatorPermission;
  /** A dangerous action: an operator has to have given a password or passkey recently. */
  readonly confirm?: true;
  /** API tokens with this scope may call it, too. */
  readonly scope?: ApiScope;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** Its body has a long text, and may be longer than others. */
  readonly longBody?: true;
  /** The type of a body that is not JSON; its handler reads it. */
  readonly bodyType?: 'image/*';
  /** Status and schema of a successful response. */
  readonly status: 200 | 201 | 202 | 204 | 302;
  readonly response?: TSchema;
  /** The type of a response that is not JSON. */
  readonly responseType?:
    'text/plain' | 'text/csv' | 'application/octet-stream' | 'application/atom+xml' | 'image/webp';
  /** Codes beyond the general ones (not found, rate limited, internal). */
  readonly errors: readonly ErrorCode[];
}

/** Method and path of every endpoint. Separate from the schemas (endpoints.ts), which would only add weight to scripts. */
export const routes = {
  ...clientRoutes,
  health: { method: 'GET', path: '/api/health' },
  metrics: { method: 'GET', path: '/api/metrics' },
  openapi: { method: 'GET', path: '/api/openapi.json', cache: 'public' },
  interventions: { method: 'GET', path: '/api/integrity' },
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
  loginPage: { method: 'GET', path: '/api/login' },
  picture: { method: 'GET', path: '/api/pictures/:hash', cache: 'immutable' },
  notificationFeed: { method: 'GET', path: '/api/notification-feeds/:secret' },
  communityPollEdits: { method: 'GET', path: '/api/community-polls/:id/edits' },
  blogs: { method: 'GET', path: '/api/blogs', cache: 'public' },
  featuredBlogs: { method: 'GET', path: '/api/blogs/featured', cache: 'public' },
  blog: { method: 'GET', path: '/api/blogs/:slug', cache: 'public' },
  bulkUpload: { method: 'POST', path: '/api/polls/bulk-upload' },
  adminSession: { method: 'POST', path: '/api/admin/session' },
  today: { method: 'GET', path: '/api/admin/today' },
  pollCalendar: { method: 'GET', path: '/api/admin/calendar' },
  checklist: { method: 'GET', path: '/api/admin/checklist' },
  confirmStep: { method: 'POST', path: '/api/admin/checklist/steps/:step' },
  dismissChecklist: { method: 'POST', path: '/api/admin/checklist/dismissed' },
  sendTestMail: { method: 'POST', path: '/api/admin/checklist/test-mail' },
  startBackupTest: { method: 'POST', path: '/api/admin/checklist/backup-test' },
  deskMail: { method: 'GET', path: '/api/admin/desk-mail' },
  setDeskMail: { method: 'POST', path: '/api/admin/desk-mail' },
  publishing: { method: 'GET', path: '/api/admin/publishing' },
  rebuildSite: { method: 'POST', path: '/api/admin/builds' },
  pausePublishing: { method: 'POST', path: '/api/admin/publishing/pause' },
  resumePublishing: { method: 'DELETE', path: '/api/admin/publishing/pause' },
  reportQueue: { method: 'GET', path: '/api/admin/reports' },
  moderationScope: { method: 'GET', path: '/api/admin/moderation/scope' },
  moderationLog: { method: 'GET', path: '/api/admin/moderation' },
  moderate: { method: 'POST', path: '/api/admin/moderation' },
  decideAppeal: { method: 'POST', path: '/api/admin/moderation/:id/appeal' },
  removePicture: { method: 'DELETE', path: '/api/admin/members/:id/picture' },
  featureCommunityPoll: { method: 'POST', path: '/api/admin/community-polls/:id/featured' },
  imports: { method: 'GET', path: '/api/admin/imports' },
  importPreview: { method: 'POST', path: '/api/admin/imports/preview' },
  rejectedRows: { method: 'POST', path: '/api/admin/imports/rejected-rows' },
  fetchSpreadsheet: { method: 'POST', path: '/api/admin/imports/spreadsheet' },
  exportPolls: { method: 'GET', path: '/api/admin/exports/:file' },
  undoPreview: { method: 'GET', path: '/api/admin/imports/:id/undo' },
  undoImport: { method: 'POST', path: '/api/admin/imports/:id/undo' },
  managedPolls: { method: 'GET', path: '/api/admin/polls' },
  closePoll: { method: 'POST', path: '/api/admin/polls/:id/close' },
  reopenPoll: { method: 'POST', path: '/api/admin/polls/:id/reopen' },
  editPoll: { method: 'PATCH', path: '/api/admin/polls/:id' },
  createDraft: { method: 'POST', path: '/api/admin/polls' },
  editedPoll: { method: 'GET', path: '/api/admin/polls/:id' },
  deletePoll: { method: 'DELETE', path: '/api/admin/polls/:id' },
  saveDraft: { method: 'PATCH', path: '/api/admin/polls/:id/draft' },
  discardDraft: { method: 'DELETE', path: '/api/admin/polls/:id/draft' },
  publishDraft: { method: 'POST', path: '/api/admin/polls/:id/publish' },
  unpublishPoll: { method: 'POST', path: '/api/admin/polls/:id/unpublish' },
  pollVersions: { method: 'GET', path: '/api/admin/polls/:id/versions' },
  restorePoll: { method: 'POST', path: '/api/admin/polls/:id/restore' },
  flaggedPolls: { method: 'GET', path: '/api/admin/flags' },
  switchChallenge: { method: 'POST', path: '/api/admin/flags/:id/challenge' },
  holdVote: { method: 'POST', path: '/api/held-votes', device: 'required' },
  raiseProtection: { method: 'POST', path: '/api/admin/flags/:id/protection' },
  decideFlag: { method: 'POST', path: '/api/admin/flags/:id/decisions' },
  decideVotes: { method: 'POST', path: '/api/admin/flags/:id/decisions/:number' },
  findMembers: { method: 'GET', path: '/api/admin/members' },
  createResetLink: { method: 'POST', path: '/api/admin/members/:id/reset-link' },
  removeDemonstration: { method: 'DELETE', path: '/api/admin/demonstration' },
  confirmSession: { method: 'POST', path: '/api/user/confirmation' },
  invitation: { method: 'POST', path: '/api/operator-invitation' },
  acceptInvitation: { method: 'POST', path: '/api/user/operator-invitation' },
  deskSession: { method: 'GET', path: '/api/admin/session' },
  operators: { method: 'GET', path: '/api/admin/operators' },
  becomeOwner: { method: 'POST', path: '/api/admin/operators' },
  inviteOperator: { method: 'POST', path: '/api/admin/invitations' },
  revokeInvitation: { method: 'DELETE', path: '/api/admin/invitations/:id' },
  changeRole: { method: 'PATCH', path: '/api/admin/operators/:id' },
  removeOperator: { method: 'DELETE', path: '/api/admin/operators/:id' },
  setSharedPassword: { method: 'POST', path: '/api/admin/shared-password' },
  apiTokens: { method: 'GET', path: '/api/admin/tokens' },
  createApiToken: { method: 'POST', path: '/api/admin/tokens' },
  revokeApiToken: { method: 'DELETE', path: '/api/admin/tokens/:id' },
  auditLog: { method: 'GET', path: '/api/admin/audit' },
  exportAuditLog: { method: 'GET', path: '/api/admin/audit/export' },
  contentImage: { method: 'GET', path: '/api/content-images/:name', cache: 'immutable' },
  contentList: { method: 'GET', path: '/api/admin/content' },
  createArticle: { method: 'POST', path: '/api/admin/content' },
  uploadContentImage: { method: 'POST', path: '/api/admin/content-images' },
  contentEntry: { method: 'GET', path: '/api/admin/content/:folder/:name' },
  saveContent: { method: 'PATCH', path: '/api/admin/content/:folder/:name' },
  deleteContent: { method: 'DELETE', path: '/api/admin/content/:folder/:name' },
  previewContent: { method: 'POST', path: '/api/admin/content/:folder/:name/preview' },
  publishContent: { method: 'POST', path: '/api/admin/content/:folder/:name/publish' },
  unpublishContent: { method: 'POST', path: '/api/admin/content/:folder/:name/unpublish' },
  reviewContent: { method: 'POST', path: '/api/admin/content/:folder/:name/review' },
  contentVersions: { method: 'GET', path: '/api/admin/content/:folder/:name/versions' },
  contentVersion: { method: 'GET', path: '/api/admin/content/:folder/:name/versions/:version' },
  restoreContent: { method: 'POST', path: '/api/admin/content/:folder/:name/restore' },
  answerNewerFile: { method: 'POST', path: '/api/admin/content/:folder/:name/newer-file' },
  webhooks: { method: 'GET', path: '/api/admin/webhooks' },
  createWebhook: { method: 'POST', path: '/api/admin/webhooks' },
  changeWebhook: { method: 'PATCH', path: '/api/admin/webhooks/:id' },
  deleteWebhook: { method: 'DELETE', path: '/api/admin/webhooks/:id' },
  rotateWebhookSecret: { method: 'POST', path: '/api/admin/webhooks/:id/secret' },
  testWebhook: { method: 'POST', path: '/api/admin/webhooks/:id/test' },
  webhookDeliveries: { method: 'GET', path: '/api/admin/webhooks/:id/deliveries' },
  resendDelivery: { method: 'POST', path: '/api/admin/webhooks/:id/deliveries/:delivery/resend' },
  pollInsights: { method: 'GET', path: '/api/admin/polls/:id/insights' },
  siteInsights: { method: 'GET', path: '/api/admin/insights' },
} as const satisfies Record<string, Route>;

export type EndpointName = keyof typeof routes;

/** The URL of an endpoint with percent-encoded parameters and query. */
export function pathOf(
  name: EndpointName,
  params?: Readonly<Record<string, string>>,
  query?: Readonly<Record<string, string | number | undefined>>,
): string {
  return routeUrl(routes[name], params, query);
}

/** Whether the API serves an address by itself: its calls, the published log, and the witness. All others are pages. */
export const isApiAddress = (path: string): boolean => /^\/api(\/|$)|^\/integrity\/(key$|log\/|witness\/)/.test(path);
