import type { Static } from './schema.ts';
import type { TSchema } from 'typebox';
import { accountEndpoints } from './account.ts';
import { accountSecurityEndpoints } from './account-security.ts';
import { adminMemberEndpoints } from './admin-members.ts';
import { adminEndpoints } from './admin.ts';
import { auditEndpoints } from './audit.ts';
import { blogEndpoints } from './blog.ts';
import { commentEndpoints } from './comment.ts';
import { todayEndpoints } from './today.ts';
import { communityEndpoints } from './community-poll.endpoints.ts';
import { contentEndpoints } from './content.ts';
import type { Endpoint, EndpointName } from './routes.ts';
import { exportEndpoints } from './exports.ts';
import { guessEndpoints } from './guess.ts';
import { healthEndpoints } from './health.ts';
import { integrityLogEndpoints } from './integrity-log.ts';
import { interventionEndpoints } from './interventions.ts';
import { moderationEndpoints } from './moderation.ts';
import { notificationEndpoints } from './notification.ts';
import { invitationEndpoints } from './invitation.ts';
import { managingEndpoints } from './managed-poll.ts';
import { flagEndpoints } from './flags.ts';
import { operatorEndpoints } from './operator.ts';
import { pollEditorEndpoints } from './poll-editor.ts';
import { pollEndpoints } from './poll.ts';
import { passkeyEndpoints } from './passkey.ts';
import { profileEndpoints } from './profile.endpoints.ts';
import { searchEndpoints } from './search.ts';
import { topicEndpoints } from './topic.ts';
import { insightEndpoints } from './insight.ts';
import { voteCodeEndpoints } from './vote-code.ts';
import { webhookEndpoints } from './webhook.ts';

export type { Endpoint, EndpointName } from './routes.ts';

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
  ...contentEndpoints,
  ...flagEndpoints,
  ...integrityLogEndpoints,
  ...webhookEndpoints,
  ...insightEndpoints,
} as const satisfies Record<EndpointName, Endpoint>;

type SchemaOf<N extends EndpointName, K extends string> =
  (typeof endpoints)[N] extends Record<K, infer S> ? (S extends TSchema ? Static<S> : undefined) : undefined;

/** The response of an endpoint. */
export type ResponseOf<N extends EndpointName> = SchemaOf<N, 'response'>;
/** The JSON body of a request. */
export type BodyOf<N extends EndpointName> = SchemaOf<N, 'body'>;
export type ParamsOf<N extends EndpointName> = SchemaOf<N, 'params'>;
/** The query parameters of a request; all are optional. */
export type QueryOf<N extends EndpointName> = Partial<SchemaOf<N, 'query'>>;
