import { globSync } from 'node:fs';
import type { Browser } from 'playwright/test';
import { visibilities } from '#contract/vocabulary.ts';
import { makePoll, person } from './community-people.ts';
import type { Person } from './community-people.ts';
import { expect, test } from './fixtures.ts';

const people = ['stranger', 'deleted', 'member', 'invited', 'creator'] as const;
type Who = (typeof people)[number];
type Row = readonly [stranger: number, deleted: number, member: number, invited: number, creator: number];

const everybody: Row = [200, 200, 200, 200, 200];
const nobody: Row = [404, 404, 404, 404, 404];
const guests: Row = [401, 401, 403, 200, 200];

/** The status of each page of a community poll per kind of visitor. Pages of weekly polls know no community polls. */
const pages: Readonly<Record<string, Record<(typeof visibilities)[number], Row>>> = {
  '/community-polls/ID': { public: everybody, unlisted: everybody, private: guests },
  '/poll/ID': { public: nobody, unlisted: nobody, private: nobody },
  '/poll/ID.png': { public: nobody, unlisted: nobody, private: nobody },
  '/poll/ID.csv': { public: nobody, unlisted: nobody, private: nobody },
  '/poll/ID.json': { public: nobody, unlisted: nobody, private: nobody },
  '/embed/poll/ID': { public: nobody, unlisted: nobody, private: nobody },
};

/** Lists and pages of a member: none may contain polls that are not public. */
const lists = [
  '/',
  '/community-polls',
  '/community-polls/browse',
  '/community-polls/browse?show=mine',
  '/historical',
  '/historical/browse',
  '/blog',
  '/about',
  '/terms',
  '/privacy',
  '/disclaimer',
  '/404',
  '/profile',
  '/profile/account',
  '/profile/activities',
  '/profile/badges',
  '/auth',
  '/auth/login',
  '/admin',
  '/sitemap.xml',
  '/sitemap-pages.xml',
  '/sitemap-polls.xml',
  '/sitemap-community.xml',
  '/historical/rss.xml',
  '/historical/atom.xml',
  '/blog/rss.xml',
  '/blog/atom.xml',
  '/robots.txt',
  '/humans.txt',
  '/.well-known/security.txt',
  '/manifest.webmanifest',
];

/** Files of articles, icons, and pictures, which contain no text by members. */
const without = /^\/(blog\/\[|blog\/category\/|icons\/|pictures\/|sitemap-\[|favicon\.ico$)/;

/** A browser that still has the cookies of a deleted account. */
async function deleted(browser: Browser): Promise<Person> {
  const gone = await person(browser, 'Gone');
  const context = gone.page.context();
  const cookies = await context.cookies();
  const data = { username: gone.username, password: 'correct horse' };
  expect((await gone.page.request.delete('/api/user', { data })).status()).toBe(204);
  await context.addCookies(cookies);
  return gone;
}

test('[D6.1] every page file is listed in one of the tables', () => {
  const routes = globSync('**/*.{astro,ts}', { cwd: new URL('../pages', import.meta.url).pathname })
    .concat('.well-known/security.txt.ts')
    .map((file) => `/${file.replace(/\.(astro|ts)$/, '')}`.replace(/^\/index$/, '/').replace(/\[(\.\.\.)?id\]/, 'ID'))
    .flatMap((route) => ['rss', 'atom'].map((format) => route.replace('[format]', format)));
  const known = [...Object.keys(pages), ...lists];
  expect(routes.length).toBeGreaterThan(30);
  expect(routes.filter((route) => !known.includes(route) && !without.test(route))).toEqual([]);
});

test('[S1.10 S4.6 S6.4 D6.1 D6.4] every page shows a community poll to those who may see it and to no one else', async ({
  browser,
}) => {
  test.setTimeout(120_000);
  const cast: Record<Who, Person> = {
    stranger: await person(browser, null),
    deleted: await deleted(browser),
    member: await person(browser, 'Mia'),
    invited: await person(browser, 'Ines'),
    creator: await person(browser, 'Cora'),
  };
  const found: Record<string, unknown> = {};
  const expected: Record<string, unknown> = {};
  const secrets: string[] = [];
  for (const visibility of visibilities) {
    const question = `What shall stay ${visibility}, ${cast.creator.username}?`;
    if (visibility !== 'public') secrets.push(question.replace('?', ''));
    const poll = await makePoll(cast.creator, { visibility, question });
    if (visibility === 'private') {
      const data = { usernameOrEmail: cast.invited.username };
      const answer = await cast.creator.page.request.post(`/api/community-polls/${poll.id}/invites`, { data });
      expect(answer.status()).toBe(201);
    }
    for (const [path, rows] of Object.entries(pages)) {
      expected[`${visibility} ${path}`] = rows[visibility];
      const statuses: number[] = [];
      for (const who of people) {
        const answer = await cast[who].page.request.get(path.replace('ID', poll.id));
        statuses.push(answer.status());
        // A refusal contains nothing of the poll.
        const shows = (await answer.body()).includes(question.replace('?', ''));
        expect(shows, `${who} ${visibility} ${path}`).toBe(answer.status() === 200);
      }
      found[`${visibility} ${path}`] = statuses;
    }
  }
  expect(found).toEqual(expected);

  for (const path of lists) {
    for (const who of people) {
      const answer = await cast[who].page.request.get(path);
      const body = await answer.text();
      expect([200, 404], `${who} ${path}`).toContain(answer.status());
      for (const secret of secrets) expect(body.includes(secret), `${who} ${path} shows ${secret}`).toBe(false);
    }
  }
  await Promise.all(people.map((who) => cast[who].page.context().close()));
});
