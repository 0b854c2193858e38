import { expect, test } from 'vitest';
import { passwordQueue, passwordsAtOnce, passwordsReserved, passwordsWaiting } from './passwords.service.ts';

test('when visitors fill the password queue, known members have one reserved place each and wait a short time', async () => {
  const line = passwordQueue();
  const { promise: opened, resolve: open } = Promise.withResolvers<true>();
  const done: string[] = [];
  const come = (member?: string) =>
    line.matches('guess', null, {
      member,
      attempt: async () => {
        await opened;
        done.push(member ?? 'a visitor');
        return true;
      },
    });
  const busy = { status: 503, code: 'OVERLOADED' };

  const visitors = Array.from({ length: passwordsAtOnce + passwordsWaiting }, () => come());
  await expect(come()).rejects.toMatchObject(busy);
  const members = Array.from({ length: passwordsReserved }, (_, place) => come(`member ${place}`));
  await expect(come('member 0')).rejects.toMatchObject(busy);
  await expect(come('one more')).rejects.toMatchObject(busy);

  open(true);
  await Promise.all([...visitors, ...members]);
  expect(done).toHaveLength(visitors.length + members.length);
  // Members and visitors alternate.
  const finished = done.slice(passwordsAtOnce, passwordsAtOnce + 2 * passwordsReserved);
  expect(finished.filter((who) => who === 'a visitor')).toHaveLength(passwordsReserved);
  // Afterwards, all places are free again.
  await Promise.all(Array.from({ length: passwordsAtOnce + passwordsWaiting }, () => come()));
});
