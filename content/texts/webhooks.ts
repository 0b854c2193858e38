import type { Webhook, WebhookDelivery, WebhookEvent } from '#api/admin/webhooks/webhooks.contract.ts';

/** Why a delivery got no response, as the log of deliveries shows it. */
export const webhookFailureTexts = {
  privateAddress: 'Not sent: the address is in a private network.',
  late: (seconds: number) => `There was no answer within ${seconds} seconds.`,
  paused: 'Not sent: the webhook was paused.',
  notListed: 'Not sent: the poll is not public anymore.',
  ownFailure: 'The site failed while it was sending this.',
} as const;

/** Refusals of webhooks. */
export const webhookApiTexts = {
  notAnAddress: 'Please enter a full web address, such as https://example.org/hook.',
  onlyHttps: 'The address must begin with https://.',
  credentials: 'The address must not contain a user name or password. Deliveries are signed instead.',
  notPublic: 'The address must be on the public internet.',
  tooMany: 'There are 20 webhooks already. Delete one first.',
} as const;

/** Names of events in the order of the form. */
export const webhookEventTexts: Readonly<Record<WebhookEvent, string>> = {
  'poll.opened': 'A poll opens',
  'poll.closed': 'A poll closes',
  'site.published': 'The site is published',
  'votes.set-aside': 'Votes are held or set aside',
  'report.filed': 'A report is filed',
  'desk.needs-decision': 'Something needs a decision',
};

const number = (value: number) => value.toLocaleString('en-US');

/** Webhooks in the settings. */
export const webhookTexts = {
  heading: 'Webhooks',
  text: 'A webhook tells another program, such as a chat or a newsroom tool, that something happened here. Deliveries contain ids, titles, and public addresses, and nothing about voters. Private and unlisted polls are never mentioned.',
  help: 'Format and verification: content/handbook/webhooks.md.',
  none: 'There are no webhooks yet.',
  add: 'Add webhook',
  url: 'Address',
  urlHint: 'An https address that accepts POST requests.',
  noUrl: 'Please enter the address.',
  events: 'Events',
  noEvents: 'Please choose at least one event.',
  save: 'Save',
  create: 'Create webhook',
  cancel: 'Cancel',
  secretTitle: 'The secret',
  secretText:
    'The receiver verifies deliveries with this secret. Copy it now; it isn’t shown again. If you lose it, create a new one.',
  secretLabel: 'Secret',
  copying: {
    copy: 'Copy',
    copied: 'Copied',
    copiedToast: { title: 'Secret copied', text: 'Keep it where only the receiver can read it.' },
    failedToast: { title: 'Copying failed', text: 'Select the secret and copy it.' },
  },
  secretDone: 'Done',
  active: 'Active',
  failing: (since: string) => `Failing since ${since}`,
  paused: {
    operator: 'Paused',
    failures: 'Paused after five days of failures',
  } satisfies Record<NonNullable<Webhook['pausedBy']>, string>,
  pausedNote: 'A paused webhook misses events: they aren’t sent later.',
  previousSecret: (until: string) => `Deliveries are also signed with the previous secret until ${until}.`,
  edit: 'Edit',
  pause: 'Pause',
  resume: 'Resume',
  test: 'Send a test',
  rotate: 'New secret',
  delete: 'Delete',
  log: 'Deliveries',
  /** Accessible names of the buttons of one webhook. */
  of: (action: string, host: string) => `${action}: ${host}`,
  deleteTitle: 'Delete this webhook?',
  deleteText: (host: string) => `Nothing will be sent to ${host} anymore, and its deliveries are deleted.`,
  rotateTitle: 'Create a new secret?',
  rotateText: (host: string) =>
    `For a day, deliveries to ${host} are signed with both secrets, so that you can change the receiver without missing one.`,
  created: { title: 'Webhook created', text: 'Send a test to see whether the receiver accepts it.' },
  saved: { title: 'Webhook saved', text: 'The next event goes to the new settings.' },
  pausedNow: { title: 'Webhook paused', text: 'Events are not sent to it from now on.' },
  resumed: { title: 'Webhook resumed', text: 'The next event is sent to it.' },
  deleted: { title: 'Webhook deleted', text: 'Its deliveries were deleted, too.' },
  rotated: { title: 'New secret created', text: 'The previous one works for another day.' },
  tested: { title: 'Test queued', text: 'The result appears among the deliveries in a few seconds.' },
  resent: { title: 'Delivery queued again', text: 'The result appears in a few seconds.' },
} as const;

/** What was sent to a webhook. */
export const deliveryTexts = {
  heading: (host: string) => `Deliveries to ${host}`,
  kept: 'Stored for 30 days.',
  none: 'Nothing has been sent yet.',
  event: (type: WebhookDelivery['type']) => (type === 'webhook.test' ? 'Test' : webhookEventTexts[type]),
  states: { waiting: 'Waiting', delivered: 'Delivered', failed: 'Failed' } satisfies Record<
    WebhookDelivery['state'],
    string
  >,
  status: (status: number) => `status ${status}`,
  took: (milliseconds: number) => `${number(milliseconds)} ms`,
  attempts: (count: number) => (count === 1 ? '1 attempt' : `${number(count)} attempts`),
  next: (time: string) => `next attempt ${time}`,
  again: 'Send again',
  againName: (event: string, time: string) => `Send again: ${event}, ${time}`,
  pages: 'Pages of deliveries',
} as const;
