import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright';

/** The features that Playwright turns off in Chromium. A second list replaces its own, so it is repeated. */
const offInPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/**
 * Parts of a full browser’s windows that no test sees: pages for the suggestions below the address bar, and a process for
 * a next site. Each new context has a window, and without them it takes half the time.
 */
const unusedParts = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess'];

/** Flags that a headless Chromium needs on a closed network and without a GPU. */
export const browserFlags = [
  `--disable-features=${[...offInPlaywright, ...unusedParts].join(',')}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The headless shell comes first: its contexts have no windows. */
const systemNames = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

function installed(): string | undefined {
  const named = process.env.CHROMIUM;
  if (named !== undefined && named !== '') return named;
  const own = chromium.executablePath();
  if (existsSync(own)) return own;
  for (const name of systemNames) {
    const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
    if (found !== '') return found;
  }
  return undefined;
}

/**
 * The path of a Chromium: Playwright’s own, else the system’s, else one that is installed now (Playwright’s download,
 * else Debian’s package if this process may install it). Throws an error that explains what to do.
 */
export function findBrowser(): string {
  const first = installed();
  if (first !== undefined) return first;
  console.log('No Chromium found; installing one.');
  const attempts: [string, string[], number][] = [
    ['playwright', ['install', 'chromium-headless-shell', 'chromium'], 300_000],
    ['apt-get', ['update', '-qq'], 300_000],
    ['apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell'], 600_000],
    ['apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], 600_000],
  ];
  for (const [command, args, timeout] of attempts) {
    spawnSync(command, args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    const found = installed();
    if (found !== undefined) return found;
  }
  throw new Error(
    'No Chromium was found and none could be installed. Install Chromium or Chrome, or set CHROMIUM to its path, and run the tests again.',
  );
}
