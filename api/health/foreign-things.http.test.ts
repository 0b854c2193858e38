import { afterEach, expect, test } from 'vitest';
import { endpoints } from '#api/endpoints.contract.ts';
import type { Endpoint } from '#contract/route.ts';
import type { EndpointName } from '#api/endpoints.contract.ts';
import { routes } from '#api/routes.contract.ts';
import { pathOf } from '#domain/path-of.ts';
import { adminPasswordHeader } from '#contract/vocabulary.ts';
import { headerText } from '#site/client/api.ts';
import type { Database } from '#platform/database.ts';
import { ask, invited, made } from '#api/testing/community-polls.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { registered, signedIn, visitor } from '#api/testing/people.ts';
import { exampleOf } from '#api/testing/schema-example.ts';
import { startTestApp, testAdminPassword } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { storedVotes } from '#api/testing/votes.ts';

/** Expected responses about the owner's private poll, its comment and its guest. */
type Row = readonly [stranger: string, other: string, operator: string, owner: string];

const all = (answer: string): Row => [answer, answer, answer, answer];
const mine = (answer: string): Row => ['401 UNAUTHENTICATED', answer, '401 UNAUTHENTICATED', answer];
const auth = '401 PRIVATE_POLL_AUTH_REQUIRED';
const denied = '403 PRIVATE_POLL_ACCESS_DENIED';
const seen: Row = [auth, denied, auth, '200'];
const owners = (answer: string): Row => ['401 UNAUTHENTICATED', denied, '401 UNAUTHENTICATED', answer];
const operators = (answer: string): Row => ['401 ADMIN_REQUIRED', '401 ADMIN_REQUIRED', answer, '401 ADMIN_REQUIRED'];

/** For every endpoint, the expected response to each kind of caller about what belongs to another member. */
const table: Readonly<Record<EndpointName, Row>> = {
  health: all('200'),
  metrics: all('200'),
  openapi: all('200'),
  activePolls: all('200'),
  statistics: all('200'),
  interventions: all('200'),
  poll: all('404 POLL_NOT_FOUND'),
  vote: all('404 POLL_NOT_FOUND'),
  holdVote: all('404 POLL_NOT_FOUND'),
  requestVoteCode: all('404 NOT_FOUND'),
  guess: [auth, denied, auth, '403 VOTE_REQUIRED'],
  historicalPolls: all('200'),
  relatedPolls: all('200'),
  topic: all('404 NOT_FOUND'),
  search: all('200'),
  searchSuggestions: all('200'),
  user: mine('200'),
  login: all('401 INVALID_CREDENTIALS'),
  loginPage: all('302'),
  register: all('409 USERNAME_TAKEN'),
  logout: all('204'),
  updateUser: mine('200'),
  changePassword: mine('403 WRONG_PASSWORD'),
  accountSecurity: mine('200'),
  uploadPicture: mine('415 UNSUPPORTED_MEDIA_TYPE'),
  picture: all('404 NOT_FOUND'),
  answerSignIn: mine('404 NOT_FOUND'),
  endSessions: mine('403 WRONG_PASSWORD'),
  createRecoveryCodes: mine('403 WRONG_PASSWORD'),
  passkeyCreation: mine('403 WRONG_PASSWORD'),
  addPasskey: mine('400 INVALID_PASSKEY'),
  renamePasskey: mine('404 NOT_FOUND'),
  removePasskey: mine('404 NOT_FOUND'),
  passkeyChallenge: all('200'),
  loginWithPasskey: all('401 UNKNOWN_PASSKEY'),
  recover: all('401 INVALID_RECOVERY_CODE'),
  resetPassword: all('401 INVALID_RESET_LINK'),
  requestPasswordReset: all('404 NOT_FOUND'),
  changeEmail: mine('404 NOT_FOUND'),
  removeEmail: mine('403 WRONG_PASSWORD'),
  confirmEmail: all('401 INVALID_EMAIL_LINK'),
  userSummary: mine('200'),
  exportUser: mine('200'),
  deleteUser: mine('403 WRONG_PASSWORD'),
  profile: mine('200'),
  activities: mine('200'),
  activityDays: mine('200'),
  badges: mine('200'),
  announceBadges: mine('200'),
  notifications: mine('200'),
  readNotifications: mine('200'),
  muteNotifications: mine('204'),
  setDigest: mine('204'),
  unsubscribe: all('404 NOT_FOUND'),
  createNotificationFeed: mine('201'),
  deleteNotificationFeed: mine('204'),
  notificationFeed: all('404 NOT_FOUND'),
  moderationDecisions: mine('200'),
  appeal: mine('404 NOT_FOUND'),
  pollShared: owners('204'),
  pollOpened: owners('204'),
  featuredCommunityPolls: all('200'),
  communityCategories: all('200'),
  communityPolls: all('200'),
  communityPollCount: all('200'),
  createCommunityPoll: mine('201'),
  communityPoll: seen,
  communityVoteStatus: seen,
  communityVote: seen,
  editCommunityPoll: owners('409 CONFLICT'),
  communityPollEdits: seen,
  communityPollCsv: owners('200'),
  communityScreen: ['401 UNAUTHENTICATED', '404 POLL_NOT_FOUND', '401 UNAUTHENTICATED', '200'],
  closeCommunityPoll: owners('200'),
  deleteCommunityPoll: owners('204'),
  waitingAnswers: owners('200'),
  reviewAnswer: owners('404 NOT_FOUND'),
  ownFlags: owners('200'),
  decideOwnFlag: owners('404 NOT_FOUND'),
  decideOwnVotes: owners('404 NOT_FOUND'),
  invites: owners('200'),
  invite: owners('201'),
  removeInvite: owners('204'),
  inviteLink: owners('200'),
  createInviteLink: owners('201'),
  revokeInviteLink: owners('204'),
  joinPoll: mine('404 INVALID_INVITE_LINK'),
  blocks: owners('200'),
  blockAuthor: owners('409 CONFLICT'),
  unblock: owners('404 NOT_FOUND'),
  hideOwnComment: owners('204'),
  comments: seen,
  createComment: owners('201'),
  comment: seen,
  editComment: owners('200'),
  deleteComment: owners('204'),
  reportPoll: [auth, denied, auth, '204'],
  reportComment: [auth, denied, auth, '204'],
  blogs: all('200'),
  featuredBlogs: all('200'),
  blog: all('404 BLOG_POST_NOT_FOUND'),
  bulkUpload: ['415', '415', '415', '415'].map((status) => `${status} UNSUPPORTED_MEDIA_TYPE`) as unknown as Row,
  adminSession: all('401 ADMIN_REQUIRED'),
  today: operators('200'),
  pollCalendar: operators('200'),
  checklist: operators('200'),
  confirmStep: operators('204'),
  dismissChecklist: operators('204'),
  deskMail: operators('200'),
  setDeskMail: operators('409 CONFLICT'),
  sendTestMail: operators('404 NOT_FOUND'),
  startBackupTest: operators('409 CONFLICT'),
  publishing: operators('200'),
  rebuildSite: operators('202'),
  pausePublishing: operators('200'),
  resumePublishing: operators('200'),
  reportQueue: operators('200'),
  moderationScope: operators('404 NOT_FOUND'),
  moderate: operators('400 BAD_REQUEST'),
  moderationLog: operators('200'),
  decideAppeal: operators('404 NOT_FOUND'),
  featureCommunityPoll: operators('400 BAD_REQUEST'),
  imports: operators('200'),
  importPreview: operators('415 UNSUPPORTED_MEDIA_TYPE'),
  rejectedRows: operators('415 UNSUPPORTED_MEDIA_TYPE'),
  fetchSpreadsheet: operators('400 BAD_REQUEST'),
  exportPolls: operators('200'),
  undoPreview: operators('404 NOT_FOUND'),
  undoImport: operators('404 NOT_FOUND'),
  pollScreen: operators('404 POLL_NOT_FOUND'),
  managedPolls: operators('200'),
  closePoll: operators('404 POLL_NOT_FOUND'),
  reopenPoll: operators('404 POLL_NOT_FOUND'),
  editPoll: operators('404 POLL_NOT_FOUND'),
  createDraft: operators('404 POLL_NOT_FOUND'),
  editedPoll: operators('404 POLL_NOT_FOUND'),
  saveDraft: operators('404 POLL_NOT_FOUND'),
  discardDraft: operators('404 POLL_NOT_FOUND'),
  publishDraft: operators('404 POLL_NOT_FOUND'),
  unpublishPoll: operators('404 POLL_NOT_FOUND'),
  deletePoll: operators('404 POLL_NOT_FOUND'),
  setRecurrence: operators('404 POLL_NOT_FOUND'),
  pollVersions: operators('404 POLL_NOT_FOUND'),
  restorePoll: operators('404 POLL_NOT_FOUND'),
  flaggedPolls: operators('200'),
  switchChallenge: operators('204'),
  raiseProtection: operators('409 CONFLICT'),
  decideFlag: operators('404 NOT_FOUND'),
  decideVotes: operators('404 NOT_FOUND'),
  findMembers: operators('200'),
  createResetLink: operators('404 NOT_FOUND'),
  removePicture: operators('404 NOT_FOUND'),
  removeDemonstration: operators('200'),
  confirmSession: mine('400 VALIDATION_FAILED'),
  invitation: all('401 INVALID_INVITATION'),
  acceptInvitation: mine('401 INVALID_INVITATION'),
  deskSession: operators('200'),
  operators: operators('200'),
  becomeOwner: operators('401 UNAUTHENTICATED'),
  inviteOperator: operators('201'),
  revokeInvitation: operators('404 NOT_FOUND'),
  changeRole: operators('404 NOT_FOUND'),
  removeOperator: operators('404 NOT_FOUND'),
  setSharedPassword: operators('409 CONFLICT'),
  apiTokens: operators('200'),
  createApiToken: operators('201'),
  revokeApiToken: operators('404 NOT_FOUND'),
  auditLog: operators('200'),
  exportAuditLog: operators('200'),
  contentImage: all('404 NOT_FOUND'),
  contentList: operators('200'),
  createArticle: operators('201'),
  uploadContentImage: operators('415 UNSUPPORTED_MEDIA_TYPE'),
  contentEntry: operators('404 NOT_FOUND'),
  saveContent: operators('404 NOT_FOUND'),
  deleteContent: operators('404 NOT_FOUND'),
  previewContent: operators('404 NOT_FOUND'),
  publishContent: operators('404 NOT_FOUND'),
  unpublishContent: operators('404 NOT_FOUND'),
  reviewContent: operators('404 NOT_FOUND'),
  contentVersions: operators('404 NOT_FOUND'),
  contentVersion: operators('404 NOT_FOUND'),
  restoreContent: operators('404 NOT_FOUND'),
  answerNewerFile: operators('404 NOT_FOUND'),
  pollIntegrity: seen,
  pollInclusion: all('400 VALIDATION_FAILED'),
  pollConsistency: all('400 VALIDATION_FAILED'),
  pollSiteEntries: [auth, denied, auth, '404 NOT_FOUND'],
  pollBallots: [auth, denied, auth, '404 NOT_FOUND'],
  siteConsistency: all('400 VALIDATION_FAILED'),
  webhooks: operators('200'),
  createWebhook: operators('400 VALIDATION_FAILED'),
  changeWebhook: operators('400 VALIDATION_FAILED'),
  deleteWebhook: operators('404 NOT_FOUND'),
  rotateWebhookSecret: operators('404 NOT_FOUND'),
  testWebhook: operators('404 NOT_FOUND'),
  webhookDeliveries: operators('404 NOT_FOUND'),
  resendDelivery: operators('404 NOT_FOUND'),
  countShare: all('204'),
  pollInsights: operators('404 POLL_NOT_FOUND'),
  siteInsights: operators('200'),
};

const things = {
  question: 'Does the heron nest on the northern roof?',
  description: 'Only the committee knows of the ladder.',
  options: [
    { id: 'option-1', text: 'Heron yes' },
    { id: 'option-2', text: 'Heron no' },
  ],
};
const comment = 'A heron was seen.';
const email = 'philomena@committee.example';
const secrets = [things.question, things.description, 'Heron yes', comment, email, 'Quandary'];

oneDatabase((open) => {
  let app: TestApp | undefined;
  afterEach(() => app?.close());

  /** All data of the owner and the poll, except what background work records later. */
  const ownedRows = async (db: Database, pollId: string) =>
    JSON.stringify([
      await db('community_polls').where({ id: pollId }),
      await db('comments').where({ poll_id: pollId }),
      await db('community_poll_guests').where({ poll_id: pollId }).orderBy('user_id'),
      await db('invite_links').where({ poll_id: pollId }),
      (await storedVotes(db)).filter(({ ballot_id }) => ballot_id === pollId),
      await db('users').where({ username: 'philomena' }).select('email', 'password', 'first_name', 'profile_image_url'),
    ]);

  test(
    '[S6.2 S7.9] no endpoint shows or changes what belongs to someone else, whether to strangers, members, or the operator',
    { timeout: 60_000 },
    async () => {
      const { db } = await open();
      const running = await startTestApp(db);
      app = running;
      const owner = await registered(running, 'philomena', { firstName: 'Philomena', lastName: 'Quandary', email });
      const guest = await registered(running, 'guest');
      const people = {
        stranger: visitor(running),
        other: await registered(running, 'other'),
        operator: visitor(running),
        owner,
      };
      const privatePoll = async () => {
        const { id } = await made(owner, { ...things, visibility: 'private' });
        await invited(owner, id, 'guest');
        const path = `/api/community-polls/${id}/comments`;
        return { id, commentId: (await ask<{ id: string }>(owner, path, 'POST', { content: comment })).body.id };
      };
      let poll = await privatePoll();
      const wrong: unknown[] = [];

      for (const name of Object.keys(routes) as EndpointName[]) {
        const { method, path, body }: Endpoint = endpoints[name];
        const options = ['Tea', 'Coffee'].map((text, place) => ({ id: `option-${place + 1}`, text }));
        const known = {
          ...poll,
          replyTo: poll.commentId,
          kind: name === 'moderate' ? 'poll' : 'community',
          userId: guest.user.id,
          slug: poll.id,
          ids: [poll.id],
          category: name.startsWith('report') ? 'spam' : 'Lifestyle',
          // An edit gives the options new ids.
          options: name === 'editCommunityPoll' ? options.map(({ text }) => ({ text })) : options,
          optionId: 'option-1',
          // Instead of the one above.
          optionIds: undefined,
          writeIn: undefined,
          writeIns: false,
          // With the numbers of its schema.
          method: 'several',
          usernameOrEmail: 'other',
          username: 'philomena',
          email,
          profileImageUrl: null,
          startsAt: null,
        };
        // An import has a number.
        const { id, commentId, userId, slug, category } = known;
        const params = {
          ...{ id: /\/(imports|moderation)\//.test(path) ? '1' : id, commentId, userId, slug, category },
          ...{
            version: '1',
            number: '1',
            answer: 'write-in-1',
            delivery: '1',
            step: 'backup',
            kind: 'tag',
            file: 'results.csv',
            secret: 'A'.repeat(43),
            hash: 'A'.repeat(43),
            ...{ folder: 'blog', name: 'an-article' },
            token: `id.${'A'.repeat(43)}`,
          },
        };
        const query = name === 'communityVoteStatus' ? { fingerprint: `device_${'0'.repeat(32)}` } : {};
        const address = pathOf(name, params, query);
        const answers: string[] = [];
        const before = await ownedRows(db, poll.id);
        for (const [who, by] of Object.entries(people)) {
          if (who === 'owner' && (await ownedRows(db, poll.id)) !== before)
            wrong.push([name, 'another member changed it']);
          const response = await by.fetch(address, {
            method,
            ...(body && { json: exampleOf(body, { ...known, voterFingerprint: by.device }) }),
            ...(who === 'operator' && { headers: { [adminPasswordHeader]: headerText(testAdminPassword) } }),
          });
          const text = await response.text();
          const code = response.status < 400 ? '' : ` ${(JSON.parse(text) as { code: string }).code}`;
          answers.push(`${response.status}${code}`);
          if (who === 'owner') continue;
          // The operator may read what was reported.
          const told = secrets.filter((secret) => text.includes(secret));
          if (told.length > 0 && name !== 'reportQueue' && name !== 'moderationLog')
            wrong.push([name, who, 'was told', told]);
        }
        if (answers.join() !== table[name].join()) wrong.push([name, answers, 'instead of', table[name]]);
        if (name === 'logout')
          for (const who of ['other', 'owner'] as const)
            for (const [cookie, value] of (await signedIn(running, who === 'owner' ? 'philomena' : who)).cookies)
              people[who].cookies.set(cookie, value);
        if (/^(close|delete|editCommunity|invite$|remove)/.test(name)) poll = await privatePoll();
      }
      expect(wrong).toEqual([]);
    },
  );
});
