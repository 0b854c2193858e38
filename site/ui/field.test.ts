import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Fields that browsers may cut, and why nothing is lost by it. */
const cut: Readonly<Record<string, string>> = {
  'site/admin/health/AuditLog.tsx': 'a search',
  'site/admin/polls/PollList.tsx': 'a search',
  'site/members/profile/Activities.island.tsx': 'a search',
  'site/admin/imports/Exports.tsx': 'an id',
  'site/admin/moderation/Members.tsx': 'a username or an address',
  'site/admin/today/TestMail.tsx': 'an address',
  'site/admin/webhooks/Webhooks.tsx': 'an address',
  'site/polls/voting/ConfirmAddress.tsx': 'six digits',
  'site/polls/voting/VoteFormPage.astro': 'six digits',
  'site/search/SearchForm.astro': 'a search',
  'site/admin/settings/ApiTokens.tsx': 'a short name, shown right after',
};

test('texts that people write are never cut without a word: fields keep what is pasted, and the service says what is too long', () => {
  const files = globSync('site/**/*.{tsx,astro}').filter(
    (file) => !file.includes('.test.') && /maxlength(=|: )/i.test(readFileSync(file, 'utf8')),
  );
  expect(files.sort()).toEqual(Object.keys(cut).sort());
});
