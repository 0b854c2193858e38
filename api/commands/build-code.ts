import { readConfig } from '#platform/config.ts';
import { buildForImage } from '#api/publishing/code-build.ts';
import { startTexts } from '#texts/start.ts';
import { runCommand } from './command-line.ts';

await runCommand({
  help: startTexts.buildCodeHelp,
  options: {},
  async run() {
    const { id } = await buildForImage(readConfig());
    console.log(startTexts.codeBuilt(id));
    return 0;
  },
});
