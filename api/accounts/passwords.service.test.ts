import { expect, test } from 'vitest';
import { passwordLine, passwordsAtOnce, passwordsReserved, passwordsWaiting } from './passwords.service.ts';

test('when strangers fill the line, members who are known have places of their own, one each, and wait a short time', async () => {
  const line = passwordLine();
  const { promise: opened, resolve: open } = Promise.withResolvers<true>();
  const done: string[] = [];
  const come = (member?: string) =>
    line.matches('guess', null, {
      member,
      attempt: async () => {
        await opened;
        done.push(member ?? 'a stranger');
        return true;
      },
    });
  const busy = { status: 503, code: 'OVERLOADED' };

  const strangers = Array.from({ length: passwordsAtOnce + passwordsWaiting }, () => come());
  await expect(come()).rejects.toMatchObject(busy);
  const members = Array.from({ length: passwordsReserved }, (_, place) => come(`member ${place}`));
  await expect(come('member 0')).rejects.toMatchObject(busy);
  await expect(come('one more')).rejects.toMatchObject(busy);

  open(true);
  await Promise.all([...strangers, ...members]);
  expect(done).toHaveLength(strangers.length + members.length);
  // Every second turn is a member's, and the others a stranger's.
  const turns = done.slice(passwordsAtOnce, passwordsAtOnce + 2 * passwordsReserved);
  expect(turns.filter((who) => who === 'a stranger')).toHaveLength(passwordsReserved);
  // And then all places are free again.
  await Promise.all(Array.from({ length: passwordsAtOnce + passwordsWaiting }, () => come()));
});
