import type { APIContext } from 'astro';
import { expect, test } from 'vitest';
import { allowThirdParties, contentDirectives, thirdPartyOf } from './head.ts';

/** What the configured third parties add to a page’s policy. */
function policy(analyticsScript: string | null, adsScript: string | null, framesOwnPages = false) {
  const directives: string[] = [];
  const scripts: unknown[] = [];
  const csp = {
    insertDirective: (directive: string) => void directives.push(directive),
    insertScriptResource: (origin: unknown) => void scripts.push(origin),
  };
  allowThirdParties(csp as APIContext['csp'], { analyticsScript, adsScript }, framesOwnPages);
  return { scripts, directives };
}

test('without third parties, scripts, connections, pictures, and frames are limited to the site', () => {
  expect(policy(null, null)).toEqual({ scripts: [], directives: ["connect-src 'self'", "frame-src 'none'"] });
  expect(policy(null, null, true).directives).toContain("frame-src 'self'");
  expect(contentDirectives).toEqual(
    expect.arrayContaining([
      "default-src 'self'",
      "img-src 'self' data:",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
    ]),
  );
});

test('the content policy allows the configured servers, and frames and pictures of any site only for advertisements', () => {
  expect(policy('https://stats.example/js/script.js', null)).toEqual({
    scripts: ['https://stats.example'],
    directives: ["connect-src 'self' https://stats.example", "frame-src 'none'", 'img-src https://stats.example'],
  });
  expect(policy(null, 'https://ads.example/a.js https://more.example')).toEqual({
    scripts: ['https://ads.example', 'https://more.example'],
    directives: ["connect-src 'self' https://ads.example https://more.example", 'frame-src https:', 'img-src https:'],
  });
});

test('the first address is the script, and each server is listed once', () => {
  expect(thirdPartyOf(null)).toBeNull();
  expect(thirdPartyOf('https://a.example/x.js https://a.example https://b.example')).toEqual({
    script: 'https://a.example/x.js',
    origins: ['https://a.example', 'https://b.example'],
  });
});
