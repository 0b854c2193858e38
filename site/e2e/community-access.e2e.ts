import { globSync } from 'node:fs';
import type { Browser } from 'playwright/test';
import { visibilities } from '#contract/vocabulary.ts';
import { adminPages } from '#texts/admin-pages.ts';
import { createPoll, newPerson } from './community-people.ts';
import type { Person } from './community-people.ts';
import { expect, test } from './fixtures.ts';

const roles = ['stranger', 'deleted', 'member', 'invited', 'creator'] as const;
type Role = (typeof roles)[number];
type Row = readonly [stranger: number, deleted: number, member: number, invited: number, creator: number];

const everyone: Row = [200, 200, 200, 200, 200];
const noOne: Row = [404, 404, 404, 404, 404];
const guests: Row = [401, 401, 403, 200, 200];

/** The status of each page of a community poll per kind of visitor. Pages of weekly polls know no community polls. */
const pages: Readonly<Record<string, Record<(typeof visibilities)[number], Row>>> = {
  '/community-polls/ID': { public: everyone, unlisted: everyone, private: guests },
  // These redirect to the poll: people who haven’t voted, or may not see results before.
  '/community-polls/ID/vote': { public: everyone, unlisted: everyone, private: guests },
  '/community-polls/ID/results': { public: everyone, unlisted: everyone, private: guests },
  '/community-polls/ID/voted': { public: everyone, unlisted: everyone, private: guests },
  '/community-polls/ID/history': { public: everyone, unlisted: everyone, private: guests },
  '/community-polls/ID/recount': { public: everyone, unlisted: everyone, private: everyone },
  // What they show, their script asks.
  '/community-polls/ID/screen': { public: everyone, unlisted: everyone, private: everyone },
  '/poll/ID/screen': { public: everyone, unlisted: everyone, private: everyone },
  '/poll/ID': { public: noOne, unlisted: noOne, private: noOne },
  '/poll/ID/recount': { public: noOne, unlisted: noOne, private: noOne },
  '/poll/ID/results': { public: noOne, unlisted: noOne, private: noOne },
  '/poll/ID/vote': { public: noOne, unlisted: noOne, private: noOne },
  '/poll/ID/voted': { public: noOne, unlisted: noOne, private: noOne },
  '/poll/ID.png': { public: noOne, unlisted: noOne, private: noOne },
  '/poll/ID.csv': { public: noOne, unlisted: noOne, private: noOne },
  '/poll/ID.json': { public: noOne, unlisted: noOne, private: noOne },
  '/embed/community-polls/ID': { public: everyone, unlisted: noOne, private: noOne },
  '/embed/poll/ID': { public: noOne, unlisted: noOne, private: noOne },
  '/embed/poll/ID/vote': { public: noOne, unlisted: noOne, private: noOne },
};

/** Pages that exist for every id, so that their status says nothing, and the page they follow in what they show. */
const withoutStatus: Readonly<Record<string, string>> = {
  '/community-polls/ID/recount': '/community-polls/ID',
  '/community-polls/ID/screen': '/poll/ID',
  '/poll/ID/screen': '/poll/ID',
};

/** Lists and pages of a member: none may contain polls that are not public. */
const lists = [
  '/',
  '/community-polls',
  '/community-polls/new',
  '/community-polls/join',
  '/community-polls?state=open',
  '/community-polls?show=mine',
  '/historical',
  '/historical?page=1',
  '/search',
  '/search?q=stay',
  '/opensearch.xml',
  '/blog',
  '/about',
  '/integrity',
  '/integrity/verify.mjs',
  '/my-votes',
  '/terms',
  '/privacy',
  '/disclaimer',
  '/404',
  '/profile',
  '/profile/account',
  '/profile/activities',
  '/profile/badges',
  '/profile/notifications',
  '/profile/moderation',
  '/auth',
  '/auth/login',
  '/auth/recover',
  '/auth/email',
  ...Object.values(adminPages).map(({ path }) => path),
  '/sitemap.xml',
  '/sitemap-pages.xml',
  '/sitemap-reports-1.xml',
  '/sitemap-community-1.xml',
  '/historical/rss.xml',
  '/historical/atom.xml',
  '/blog/rss.xml',
  '/blog/atom.xml',
  '/robots.txt',
  '/humans.txt',
  '/.well-known/security.txt',
  '/manifest.webmanifest',
];

/** Files of articles, lists of weekly polls, icons, and pictures, which contain no text by members. */
const withoutMemberText =
  /^\/(404\/|images\/|poll\/ID\/preview$|blog\/\[|historical\/(\[|series$)|embed\/series\/|blog\/category\/|icons\/|pictures\/|sitemap-\[|favicon\.ico$)/;

/** A browser that still has the cookies of a deleted account. */
async function deleted(browser: Browser): Promise<Person> {
  const account = await newPerson(browser, 'Gone');
  const context = account.page.context();
  const cookies = await context.cookies();
  const data = { username: account.username, password: 'correct horse' };
  expect((await account.page.request.delete('/api/user', { data })).status()).toBe(204);
  await context.addCookies(cookies);
  return account;
}

test('[D6.1] every page file is listed in one of the tables', () => {
  const routes = globSync('**/*.{astro,ts}', { cwd: new URL('../pages', import.meta.url).pathname })
    .concat('.well-known/security.txt.ts')
    .map((file) => `/${file.replace(/\.(astro|ts)$/, '')}`.replace(/^\/index$/, '/').replace(/\[(\.\.\.)?id\]/, 'ID'))
    .flatMap((route) => ['rss', 'atom'].map((format) => route.replace('[format]', format)));
  const known = [...Object.keys(pages), ...lists];
  expect(routes.length).toBeGreaterThan(30);
  expect(routes.filter((route) => !known.includes(route) && !withoutMemberText.test(route))).toEqual([]);
});

test('[S1.10 S4.6 S6.4 D6.1 D6.4] every page shows a community poll to those who may see it and to no one else', async ({
  browser,
}) => {
  test.setTimeout(120_000);
  const persons: Record<Role, Person> = {
    stranger: await newPerson(browser, null),
    deleted: await deleted(browser),
    member: await newPerson(browser, 'Mia'),
    invited: await newPerson(browser, 'Ines'),
    creator: await newPerson(browser, 'Cora'),
  };
  const found: Record<string, unknown> = {};
  const expected: Record<string, unknown> = {};
  const secrets: string[] = [];
  for (const visibility of visibilities) {
    const question = `What shall stay ${visibility}, ${persons.creator.username}?`;
    if (visibility !== 'public') secrets.push(question.replace('?', ''));
    const poll = await createPoll(persons.creator, { visibility, question });
    if (visibility === 'private') {
      const data = { usernameOrEmail: persons.invited.username };
      const answer = await persons.creator.page.request.post(`/api/community-polls/${poll.id}/invites`, { data });
      expect(answer.status()).toBe(201);
    }
    for (const [path, rows] of Object.entries(pages)) {
      expected[`${visibility} ${path}`] = rows[visibility];
      const statuses: number[] = [];
      for (const [column, role] of roles.entries()) {
        const answer = await persons[role].page.request.get(path.replace('ID', poll.id));
        statuses.push(answer.status());
        // A refusal contains nothing of the poll.
        const shows = (await answer.body()).includes(question.replace('?', ''));
        const shall = pages[withoutStatus[path] ?? path]![visibility][column] === 200;
        expect(shows, `${role} ${visibility} ${path}`).toBe(shall);
      }
      found[`${visibility} ${path}`] = statuses;
    }
  }
  expect(found).toEqual(expected);

  for (const path of lists) {
    for (const role of roles) {
      const answer = await persons[role].page.request.get(path);
      const body = await answer.text();
      expect([200, 404], `${role} ${path}`).toContain(answer.status());
      for (const secret of secrets) expect(body.includes(secret), `${role} ${path} shows ${secret}`).toBe(false);
    }
  }
  await Promise.all(roles.map((role) => persons[role].page.context().close()));
});
