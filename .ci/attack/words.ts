import { parseArgs } from 'node:util';

/** The arguments of this command, at most `most`. Prints the help and ends the process if it is asked for or needed. */
export function wordsAfterHelp(help: string, most: number): string[] {
  try {
    const { values, positionals } = parseArgs({ options: { help: { type: 'boolean' } }, allowPositionals: true });
    if (values.help !== true && positionals.length <= most) return positionals;
    console.log(help);
    process.exit(values.help === true ? 0 : 2);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${help}`);
    process.exit(2);
  }
}

/** As {@link wordsAfterHelp}, for whole numbers above zero. */
export function numbersAfterHelp(help: string, most: number): number[] {
  const words = wordsAfterHelp(help, most);
  if (words.every((word) => /^[1-9]\d*$/.test(word))) return words.map(Number);
  console.error(help);
  process.exit(2);
}
