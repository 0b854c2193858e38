import type { Database } from '#platform/database.ts';
import { hashPassword } from '#platform/password-hash.ts';
import { benchPassword } from './server-process.ts';
import { memberId, sqlWords } from './synthetic-rows.ts';

/** A member of `makeCommunityPolls` with a page of notifications, who signs in with `benchPassword`. */
export const readerId = 'bench-member-0';
/** Unread notifications of the reader, and of each other member. */
const readersNotifications = 200;
const notificationsEach = 5;
/** Members inserted by one statement. */
const portion = 10_000;

/**
 * Stores `count` members with notifications beside the polls of `makeCommunityPolls`, and reports each of these polls, every
 * tenth of them twice.
 */
export async function makeMembers(db: Database, count: number, onProgress: (done: number) => void): Promise<void> {
  const now = Date.now();
  const words = sqlWords(db);
  const member = `'member-' || ${words.padded('i', memberId(0).length - 'member-'.length)}`;
  const notifications = '(user_id, kind, subject, poll_id, created_at, latest_at)';
  for (let from = 0; from < count; from += portion) {
    const some = words.numbers(from, Math.min(count, from + portion));
    await db.raw(
      `insert into users (id, username, username_key, email, email_key, password, created_at, updated_at)
       ${some} select ${member}, ${member}, ${member}, ${member} || '@example.org', ${member} || '@example.org', '', ${now}, ${now}
       from n`,
    );
    const places = Array.from({ length: notificationsEach }, (_, place) => `select ${place} as place`).join(
      ' union all ',
    );
    await db.raw(
      `insert into notifications ${notifications} ${some}
       select ${member}, 'badge', 'votes_' || place, null, ${now} - place * 1000, ${now} - place * 1000
       from n cross join (${places}) places`,
    );
    onProgress(Math.min(count, from + portion));
  }
  await db('users')
    .where({ id: readerId })
    .update({ password: await hashPassword(benchPassword) });
  await db.raw(
    `insert into notifications ${notifications}
     select '${readerId}', 'featured', id, id, created_at, created_at from community_polls
     where visibility = 'public' order by created_at desc limit ${readersNotifications}`,
  );
  const reported = (reporter: string, where: string) =>
    db.raw(
      `insert into reports (user_id, kind, subject, poll_id, category, created_at)
       select '${reporter}', 'poll', id, id, 'spam', created_at from community_polls ${where} order by created_at`,
    );
  await reported('bench-member-8', '');
  await reported('bench-member-9', "where id like '%0'");
}
