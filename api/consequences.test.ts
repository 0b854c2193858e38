import { expect, test } from 'vitest';
import { auditActions } from '#api/admin/audit/audit.contract.ts';
import { webhookEvents } from '#api/admin/webhooks/webhooks.contract.ts';
import { consequences } from './consequences.ts';
import { sharedActs } from './events/events.ts';
import type { EventType } from './events/events.ts';
import { subscribe } from './events/record.service.ts';
import { sendWebhooks } from './admin/webhooks/events.service.ts';

const types = Object.keys(consequences) as (keyof typeof consequences)[];

test('webhooks hear of exactly the events that they can be registered for', () => {
  const sent = types.filter((type) => consequences[type].includes(sendWebhooks as never));
  // A held vote that is confirmed is one that no longer counts.
  expect(sent.filter((type) => type !== 'votes.decide').sort()).toEqual([...webhookEvents].sort());
});

test('each event has a consequence, or is an admin action that the audit log shows', () => {
  const shown = new Set<EventType>(auditActions.map((action) => ({ ...sharedActs })[action as never] ?? action));
  for (const type of types) expect([type, shown.has(type) || consequences[type].length > 0]).toEqual([type, true]);
});

test('a consequence without a place in the order of locks is refused at the start', () => {
  expect(() => subscribe(consequences, [])).toThrow('has no place in the order of subscribers');
});
