import { readFile, writeFile } from 'node:fs/promises';
import { benchTexts } from '#texts/bench.ts';

/** The page of the handbook whose figures commands write. */
export const proofPage = new URL('../../content/handbook/proof.md', import.meta.url);

/**
 * Puts what a command measured into its section of a page, between the comments `<!-- begin NAME -->` and
 * `<!-- end NAME -->`, and touches nothing else. Throws when the page has no such section.
 */
export async function keepInProof(name: string, markdown: string, page: URL = proofPage): Promise<void> {
  const text = await readFile(page, 'utf8');
  const begin = `<!-- begin ${name} -->\n`;
  const from = text.indexOf(begin);
  const to = text.indexOf(`<!-- end ${name} -->`);
  if (from === -1 || to < from) throw new Error(benchTexts.noSection(name));
  await writeFile(page, `${text.slice(0, from + begin.length)}\n${markdown.trim()}\n\n${text.slice(to)}`);
}
