import { expect, test } from 'vitest';
import { outlineOf } from '#domain/article.ts';
import { sharingTexts } from '#texts/sharing.ts';
import { staticPages } from '#api/testing/static-pages.ts';

const pages = await staticPages({
  siteName: 'Polls',
  supportEmail: 'desk@example.org',
  publicUrl: 'https://polls.example',
});
const headings = (name: 'terms' | 'privacy' | 'disclaimer') => outlineOf(pages[name].content).map(({ text }) => text);
const words = (name: 'about' | 'terms' | 'privacy' | 'disclaimer') =>
  pages[name].content.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

test('[S2.77] the Terms of Use have their twelve sections in order', () => {
  expect([pages.terms.title, ...headings('terms')]).toEqual([
    'Terms of Use',
    'Acceptance of terms',
    'Description of the service',
    'Your responsibilities',
    'Limitations of the polls',
    'Prohibited uses',
    'Data and privacy',
    'Liability',
    'Availability',
    'Intellectual property',
    'Changes to these terms',
    'Governing law',
    'Contact',
  ]);
});

test('[S2.78] the Privacy Policy covers what is stored, shared, retained, and refused, in order', () => {
  expect([pages.privacy.title, ...headings('privacy')]).toEqual([
    'Privacy Policy',
    'Fingerprinting',
    'Response data',
    'Technical data',
    'Accounts and what you publish',
    'Use of data',
    'Advertising partners and analytics',
    'Security',
    'Retention',
    'Your choices and opt-outs',
    'Cookies and local storage',
    'Children under 13',
    'International users',
    'Changes to this policy',
    'Contact',
  ]);
  expect(words('privacy')).toMatch(/IP address, your browser type.*logs/i);
});

test('[S2.79] the Disclaimer lists what polls are not, in order', () => {
  expect([pages.disclaimer.title, ...headings('disclaimer')]).toEqual([
    'Disclaimer',
    'Not scientific research',
    'For entertainment only',
    'Sampling biases',
    'Technical limits',
    'Prohibited uses',
    'No warranty',
    'Limitation of liability',
    'Final warning',
  ]);
});

test('[S1.16] polls are described as entertainment and discussion, not research, and tied to no institution', () => {
  expect(words('disclaimer')).toContain('for entertainment, discussion, and opinion gathering only');
  expect(words('disclaimer')).toContain('are not scientific research');
  expect(words('disclaimer')).toContain('not tied to any university, research institution');
  expect(words('terms')).toContain('Polls are for entertainment and discussion. They are not scientific research.');
});

test('[S1.17] results must not be passed off as research, policy, business, medical, legal, or news findings', () => {
  const uses = words('disclaimer').split('It must not be passed off as something else.')[1];
  for (const use of [/scientific, or market research/, /policy/, /business/, /medical/, /legal purposes/, /as news/])
    expect(uses).toMatch(use);
  for (const use of [/academic or market research/, /policy, business, medicine, or law/, /report them as news/])
    expect(words('terms').split('You may not pass the results off as more than they are')[1]).toMatch(use);
});

test('[S1.18] Terms, Disclaimer, and About allow quoting results under CC BY 4.0 with one sentence', () => {
  for (const page of ['terms', 'disclaimer'] as const)
    expect(pages[page].content).toContain(`<a href="${sharingTexts.license.url}">${sharingTexts.license.name}</a>`);
  for (const page of ['terms', 'disclaimer', 'about'] as const)
    expect(words(page)).toContain(`“${sharingTexts.license.selfSelected}”`);
});

test('[S1.19] responses are kept indefinitely and shown as totals; identifiers and logs are deleted periodically', () => {
  expect(words('privacy')).toContain('Poll responses (answer, day, marks) indefinitely');
  expect(words('privacy')).toContain('Fingerprints with the response; may be deleted periodically');
  expect(words('privacy')).toMatch(/Technical logs [^.]*deleted periodically/);
  expect(words('privacy')).toContain('Responses are shown as totals only');
});

test('[S1.20 S9.20] children under 13 are excluded, and third-party advertisements are announced', () => {
  expect(words('privacy')).toContain('not meant for children under 13. They may not vote, register, or comment');
  expect(words('terms')).toContain('You must be at least 13 years old to vote, register, or write anything here.');
  expect(words('privacy')).toContain('The site may show advertising from third-party networks');
});

test('About says that votes are anonymous and that polls are not research', () => {
  expect(words('about')).toMatch(/without an account|no account/i);
  expect(words('about')).toMatch(/not scientific/i);
});
