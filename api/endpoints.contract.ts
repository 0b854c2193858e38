import type { TSchema } from 'typebox';
import { adminEndpoints } from '#api/admin/admin.contract.ts';
import { auditEndpoints } from '#api/admin/audit/audit.contract.ts';
import { insightEndpoints } from '#api/admin/insights/insights.contract.ts';
import { adminMemberEndpoints } from '#api/admin/members.contract.ts';
import { operatorEndpoints } from '#api/admin/operators/operators.contract.ts';
import { todayEndpoints } from '#api/admin/today/today.contract.ts';
import { webhookEndpoints } from '#api/admin/webhooks/webhooks.contract.ts';
import { commentEndpoints } from '#api/comments/comments.contract.ts';
import { blogEndpoints } from '#api/content/blog/blog.contract.ts';
import { contentEndpoints } from '#api/content/content.contract.ts';
import { healthEndpoints } from '#api/health/health.contract.ts';
import { flagEndpoints } from '#api/integrity/flags.contract.ts';
import { interventionEndpoints } from '#api/integrity/interventions/interventions.contract.ts';
import { integrityLogEndpoints } from '#api/integrity/log/integrity-log.contract.ts';
import { voteCodeEndpoints } from '#api/integrity/vote-codes.contract.ts';
import { accountSecurityEndpoints } from '#api/members/accounts/account-security.contract.ts';
import { accountEndpoints } from '#api/members/accounts/accounts.contract.ts';
import { passkeyEndpoints } from '#api/members/accounts/passkeys.contract.ts';
import { notificationEndpoints } from '#api/members/notifications/notifications.contract.ts';
import { profileEndpoints } from '#api/members/profile/profile.contract.ts';
import { moderationEndpoints } from '#api/moderation/moderation.contract.ts';
import { communityEndpoints } from '#api/polls/community/community-polls.contract.ts';
import { invitationEndpoints } from '#api/polls/community/invitations.contract.ts';
import { exportEndpoints } from '#api/polls/exports/exports.contract.ts';
import { guessEndpoints } from '#api/polls/guesses/guesses.contract.ts';
import { managingEndpoints } from '#api/polls/managing.contract.ts';
import { pollEditorEndpoints } from '#api/polls/poll-editor.contract.ts';
import { pollEndpoints } from '#api/polls/polls.contract.ts';
import { screenEndpoints } from '#api/polls/screen/screen.contract.ts';
import { topicEndpoints } from '#api/polls/topics/topics.contract.ts';
import { searchEndpoints } from '#api/search/search.contract.ts';
import type { Endpoint } from '#contract/route.ts';
import type { Static } from '#contract/schema.ts';

/** Every endpoint of the API, by name. */
export const endpoints = {
  ...healthEndpoints,
  ...interventionEndpoints,
  ...pollEndpoints,
  ...topicEndpoints,
  ...guessEndpoints,
  ...voteCodeEndpoints,
  ...accountEndpoints,
  ...accountSecurityEndpoints,
  ...passkeyEndpoints,
  ...profileEndpoints,
  ...notificationEndpoints,
  ...moderationEndpoints,
  ...communityEndpoints,
  ...invitationEndpoints,
  ...commentEndpoints,
  ...blogEndpoints,
  ...searchEndpoints,
  ...adminEndpoints,
  ...adminMemberEndpoints,
  ...managingEndpoints,
  ...todayEndpoints,
  ...operatorEndpoints,
  ...auditEndpoints,
  ...exportEndpoints,
  ...pollEditorEndpoints,
  ...screenEndpoints,
  ...contentEndpoints,
  ...flagEndpoints,
  ...integrityLogEndpoints,
  ...webhookEndpoints,
  ...insightEndpoints,
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;

type SchemaOf<N extends EndpointName, K extends string> =
  (typeof endpoints)[N] extends Record<K, infer S> ? (S extends TSchema ? Static<S> : undefined) : undefined;

/** The response of an endpoint. */
export type ResponseOf<N extends EndpointName> = SchemaOf<N, 'response'>;
/** The JSON body of a request. */
export type BodyOf<N extends EndpointName> = SchemaOf<N, 'body'>;
export type ParamsOf<N extends EndpointName> = SchemaOf<N, 'params'>;
/** The query parameters of a request; all are optional. */
export type QueryOf<N extends EndpointName> = Partial<SchemaOf<N, 'query'>>;
