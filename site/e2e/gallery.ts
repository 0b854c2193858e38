import { mkdir, rm, writeFile } from 'node:fs/promises';
import { SingleBar, Presets } from 'cli-progress';
import { chromium } from 'playwright';
import type { Page } from 'playwright';
import { startMailServer } from '#api/testing/mail-server.ts';
import { browserFlags, findBrowser } from './browser.ts';
import { originOf, startInstallation, startSiteService } from './installation.ts';
import { scenes } from './scenes.ts';
import { scrollToTop } from './scene.ts';
import type { Scene } from './scene.ts';
import { apiDownPort, sites } from './sites.ts';

const help = `npm run gallery [-- NAME … --widths=N,…]   full-page pictures of every route and state

Takes each scene (or those whose name contains NAME) at 390, 820 and 1440 px (or the widths given), light and dark, on its own
installation with demonstration data. Print scenes are taken as a sheet of paper and as a PDF. Fails if a page scrolls
sideways, also at 320 and 1920 px. Pictures and index.html are in .cache/gallery.`;

const folder = '.cache/gallery';
const themes = ['light', 'dark'] as const;
/** A4 between margins of 12 mm. */
const sheet = { width: 703, height: 1032 };
const margin = { top: '12mm', bottom: '12mm', left: '12mm', right: '12mm' };
const concurrency = 3;

const args = process.argv.slice(2);
if (args.includes('--help')) {
  console.log(help);
  process.exit(0);
}
const widthsArg = args.find((word) => word.startsWith('--widths='))?.slice('--widths='.length);
const widths = (widthsArg ?? '390,820,1440').split(',').map(Number);
const nameParts = args.filter((word) => !word.startsWith('--'));
const chosen = scenes.filter(({ name }) => nameParts.length === 0 || nameParts.some((part) => name.includes(part)));
if (chosen.length === 0 || !widths.every((width) => width >= 200)) {
  const names = scenes.map(({ name }) => name).join(', ');
  console.error(`No scene has "${nameParts.join('" or "')}" in its name, or a width is invalid. Scenes: ${names}`);
  process.exit(2);
}

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const origin = originOf(sites.gallery);
const mail = await startMailServer();
const { stop } = await startInstallation(sites.gallery, { SMTP_URL: mail.url, MAIL_FROM: 'desk@polls.example' });
const stopApiDown = await startSiteService(sites.gallery, apiDownPort);
const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags });
const bar = new SingleBar({ format: '{bar} {value}/{total} {scene}' }, Presets.shades_classic);
const failures: string[] = [];
const files = new Map<string, string[]>();

/** Throws an error if the page scrolls sideways. */
async function expectNoOverflow(page: Page, width: number): Promise<void> {
  const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
  if (scrollWidth > width) throw new Error(`reaches to ${scrollWidth} px in a window of ${width} px`);
}

async function open(page: Page, scene: Scene): Promise<void> {
  await scene.prepare?.(page, origin);
  const path = await scene.path(origin);
  await page.goto(`${scene.api === 'down' ? `http://127.0.0.1:${apiDownPort}` : origin}${path}`, { waitUntil: 'load' });
  await scene.act?.(page);
  // Late parts make the page longer; with a request that never ends, the network is never idle.
  await page.waitForLoadState('networkidle', { timeout: 1_500 }).catch(() => undefined);
  await page.waitForTimeout(500);
}

async function takeScreenshots(
  page: Page,
  scene: Scene,
  width: number,
  addFile: (name: string) => string,
): Promise<void> {
  await open(page, scene);
  const height = page.viewportSize()?.height ?? 900;
  // Fixed elements would otherwise be in the middle of a full-page picture.
  if (scene.fullPage ?? true) await scrollToTop(page);
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    await page.waitForTimeout(150);
    await page.screenshot({
      path: addFile(`${scene.name}-${width}-${theme}.png`),
      fullPage: scene.fullPage ?? true,
      animations: 'disabled',
    });
  }
  if (scene.picture === true) return;
  await expectNoOverflow(page, width);
  for (const edge of [320, 1920]) {
    await page.setViewportSize({ width: edge, height });
    await expectNoOverflow(page, edge);
  }
}

async function takePrint(page: Page, scene: Scene, addFile: (name: string) => string): Promise<void> {
  await open(page, scene);
  await page.emulateMedia({ media: 'print' });
  await page.waitForTimeout(150);
  await page.screenshot({ path: addFile(`${scene.name}.png`), fullPage: true, animations: 'disabled' });
  await page.pdf({ path: `${folder}/${scene.name}.pdf`, format: 'A4', margin });
}

async function takeScene(scene: Scene): Promise<void> {
  const fileNames: string[] = [];
  files.set(scene.name, fileNames);
  const addFile = (name: string) => {
    fileNames.push(name);
    return `${folder}/${name}`;
  };
  for (const width of scene.print === true ? [sheet.width] : widths) {
    const context = await browser.newContext({
      viewport: scene.print === true ? sheet : { width, height: 900 },
      javaScriptEnabled: scene.javaScript ?? true,
      locale: 'en-US',
    });
    try {
      const page = await context.newPage();
      await (scene.print === true ? takePrint(page, scene, addFile) : takeScreenshots(page, scene, width, addFile));
    } catch (error) {
      failures.push(`${scene.name}, ${width} px: ${error instanceof Error ? error.message : String(error)}`);
    }
    // Responses may still be pending.
    for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  }
  bar.increment(1, { scene: scene.name });
}

try {
  bar.start(chosen.length, 0, { scene: '' });
  const queue = chosen.values();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const scene of queue) await takeScene(scene);
    }),
  );
} finally {
  bar.stop();
  await browser.close();
  await stopApiDown();
  await stop();
  await mail.close();
}

const rows = chosen.map(({ name, print }) => {
  const pictures = (files.get(name) ?? []).map(
    (file) =>
      `<figure><a href="${file}"><img src="${file}" alt="" loading="lazy" height="360"></a><figcaption>${file}</figcaption></figure>`,
  );
  const paper = print === true ? ` <a href="${name}.pdf">PDF</a>` : '';
  return `<h2>${name}${paper}</h2><div>${pictures.join('')}</div>`;
});
await writeFile(
  `${folder}/index.html`,
  `<!doctype html><html lang="en-US"><meta charset="utf-8"><title>Gallery</title><style>body{font:14px system-ui;margin:2rem}div{display:flex;gap:1rem;overflow-x:auto}figure{margin:0}img{border:1px solid #ccc}</style><h1>Gallery</h1>${rows.join('\n')}</html>\n`,
);
for (const failure of failures) console.error(failure);
console.log(`Pictures: ${folder}/index.html`);
process.exit(failures.length === 0 ? 0 : 1);
