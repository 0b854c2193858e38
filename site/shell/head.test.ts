import { expect, test } from 'vitest';
import { contentPolicy, thirdPartyOf } from './head.ts';

const policy = (analyticsScript: string | null, adsScript: string | null) => {
  const { scripts, directives } = contentPolicy({ analyticsScript, adsScript });
  return { scripts, ...Object.fromEntries(directives.map((line) => line.split(/ (.*)/).slice(0, 2))) };
};

test('without third parties, scripts, connections, and frames are limited to the site', () => {
  expect(policy(null, null)).toMatchObject({
    scripts: ["'self'"],
    'default-src': "'self'",
    'connect-src': "'self'",
    'frame-src': "'none'",
    'object-src': "'none'",
    'form-action': "'self'",
  });
});

test('the content policy allows the configured servers, and frames only for advertisements', () => {
  expect(policy('https://stats.example/js/script.js', null)).toMatchObject({
    scripts: ["'self'", 'https://stats.example'],
    'connect-src': "'self' https://stats.example",
    'frame-src': "'none'",
  });
  expect(policy(null, 'https://ads.example/a.js https://more.example')).toMatchObject({
    scripts: ["'self'", 'https://ads.example', 'https://more.example'],
    'connect-src': "'self' https://ads.example https://more.example",
    'frame-src': 'https:',
  });
});

test('the first address is the script, and each server is listed once', () => {
  expect(thirdPartyOf(null)).toBeNull();
  expect(thirdPartyOf('https://a.example/x.js https://a.example https://b.example')).toEqual({
    script: 'https://a.example/x.js',
    origins: ['https://a.example', 'https://b.example'],
  });
});
