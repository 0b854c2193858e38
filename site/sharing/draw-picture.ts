import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import type { Font } from 'satori';
import type { SocialPicture } from '#domain/social-picture.ts';
import { pictureFaces, pictureSize, pictureTree, pictureVane, pictureWords } from './picture-layout.ts';
import type { PictureSite } from './picture-layout.ts';

/** Draws pictures as SVG whose letters are outlines, so that no machine needs the face. */
export interface PictureDrawer {
  svg(picture: SocialPicture): Promise<string>;
}

/** Loads the face and the layout engine, a third of a second and 20 MB: only where something is drawn. */
export async function pictureDrawer(site: PictureSite): Promise<PictureDrawer> {
  const require = createRequire(import.meta.url);
  const [{ default: satori }, ...files] = await Promise.all([
    import('satori'),
    ...pictureFaces.map((part) =>
      readFile(require.resolve(`@fontsource/newsreader/files/newsreader-${part}-500-normal.woff`)),
    ),
  ]);
  const fonts = files.map((data, place): Font => ({
    name: pictureFaces[place]!,
    data,
    weight: 500,
    style: 'normal',
  }));

  return {
    async svg(picture) {
      const clean = cleaned(picture);
      // The engine asks for letters that the face lacks: the words that they stand in are replaced, never drawn as boxes.
      const missing = new Set<string>();
      const draw = async () => {
        const words = pictureWords(clean, site, (text) => [...missing].some((letter) => text.includes(letter)));
        const svg = await satori(pictureTree(words, site), {
          ...pictureSize,
          fonts,
          loadAdditionalAsset: (_language, letters) => {
            for (const letter of letters) missing.add(letter);
            return Promise.resolve([]);
          },
        });
        return svg.replace(/<\/svg>$/, `${pictureVane(words)}</svg>`);
      };
      const first = await draw();
      return missing.size === 0 ? first : draw();
    },
  };
}

/** Without what a layout engine trips over: controls, marks of direction, joiners, line ends. */
function cleaned(picture: SocialPicture): SocialPicture {
  const clean = (text: string) =>
    text
      .normalize('NFC')
      .replace(/[\p{Cf}\p{Cc}\s]+/gu, ' ')
      .trim();
  switch (picture.kind) {
    case 'site':
      return picture;
    case 'article':
      return { ...picture, title: clean(picture.title) };
    default: {
      const category = picture.category === null ? null : clean(picture.category);
      const named = { ...picture, question: clean(picture.question), category };
      return named.kind === 'open' ? named : { ...named, leaders: named.leaders.map(clean) };
    }
  }
}
