import { mkdir, rm, writeFile } from 'node:fs/promises';
import { SingleBar, Presets } from 'cli-progress';
import { chromium } from 'playwright';
import type { Page } from 'playwright';
import { browserFlags, findBrowser } from './browser.ts';
import { originOf, startInstallation } from './installation.ts';
import { scenes } from './scenes.ts';
import type { Scene } from './scenes.ts';
import { sites } from './sites.ts';

const help = `npm run gallery [-- NAME …]   full-page pictures of every route and state

Takes each scene (or those whose name contains NAME) at 390, 820 and 1440 px, light and dark, on an installation of
its own with demonstration data. Pictures and index.html are in .cache/gallery.`;

const folder = '.cache/gallery';
const widths = [390, 820, 1440];
const themes = ['light', 'dark'] as const;

const wanted = process.argv.slice(2);
if (wanted.includes('--help')) {
  console.log(help);
  process.exit(0);
}
const chosen = scenes.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
if (chosen.length === 0) {
  console.error(
    `No scene has "${wanted.join('" or "')}" in its name. There are: ${scenes.map(({ name }) => name).join(', ')}`,
  );
  process.exit(2);
}

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const origin = originOf(sites.gallery);
const stop = await startInstallation(sites.gallery);
const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags });
const bar = new SingleBar({ format: '{bar} {value}/{total} {scene}' }, Presets.shades_classic);
const failures: string[] = [];

async function take(page: Page, scene: Scene, file: string): Promise<void> {
  await scene.prepare?.(page, origin);
  await page.goto(`${origin}${await scene.path(origin)}`, { waitUntil: 'load' });
  await scene.act?.(page);
  await page.waitForTimeout(500);
  await page.screenshot({ path: file, fullPage: scene.fullPage ?? true, animations: 'disabled' });
}

try {
  bar.start(chosen.length * widths.length * themes.length, 0, { scene: '' });
  for (const scene of chosen) {
    for (const theme of themes) {
      for (const width of widths) {
        const context = await browser.newContext({
          viewport: { width, height: 900 },
          colorScheme: theme,
          javaScriptEnabled: scene.javaScript ?? true,
          locale: 'en-GB',
        });
        const name = `${scene.name}-${width}-${theme}.png`;
        try {
          await take(await context.newPage(), scene, `${folder}/${name}`);
        } catch (error) {
          failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
        }
        await context.close();
        bar.increment(1, { scene: scene.name });
      }
    }
  }
} finally {
  bar.stop();
  await browser.close();
  await stop();
}

const rows = chosen.map((scene) => {
  const pictures = themes.flatMap((theme) =>
    widths.map((width) => {
      const file = `${scene.name}-${width}-${theme}.png`;
      return `<figure><a href="${file}"><img src="${file}" alt="" loading="lazy" height="360"></a><figcaption>${width} px, ${theme}</figcaption></figure>`;
    }),
  );
  return `<h2>${scene.name}</h2><div>${pictures.join('')}</div>`;
});
await writeFile(
  `${folder}/index.html`,
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Gallery</title><style>body{font:14px system-ui;margin:2rem}div{display:flex;gap:1rem;overflow-x:auto}figure{margin:0}img{border:1px solid #ccc}</style><h1>Gallery</h1>${rows.join('\n')}</html>\n`,
);
for (const failure of failures) console.error(failure);
console.log(`Pictures: ${folder}/index.html`);
process.exit(failures.length === 0 ? 0 : 1);
