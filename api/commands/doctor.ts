import { systemClock } from '#platform/clock.ts';
import { ConfigError } from '#platform/config.ts';
import { examine } from '#api/admin/doctor/doctor.service.ts';
import type { Finding } from '#api/admin/doctor/finding.ts';
import { doctorTexts as texts } from '#texts/doctor.ts';
import { runCommand } from './command-line.ts';

await runCommand({
  help: texts.usage,
  positionals: true,
  options: { json: { type: 'boolean' }, repair: { type: 'boolean' } },
  async run({ json, repair }, [word]) {
    if (word !== undefined) throw new ConfigError(texts.tooMany(word));
    const findings = await examine({ environment: process.env, clock: systemClock, repair: repair ?? false });
    const count = (level: Finding['level']) => findings.filter((one) => one.level === level).length;
    if (json) console.log(JSON.stringify({ well: count('problem') === 0, findings }, null, 2));
    else {
      for (const finding of findings) print(finding);
      console.log(`\n${texts.summary(count('problem'), count('warning'))}`);
    }
    return count('problem') > 0 ? 1 : 0;
  },
});

function print({ check, level, text, advice }: Finding): void {
  const width = (words: Readonly<Record<string, string>>) =>
    Math.max(...Object.values(words).map(({ length }) => length));
  const start = `${texts.levels[level].padEnd(width(texts.levels))}  ${texts.checks[check].padEnd(width(texts.checks))}`;
  console.log(`${start}  ${text}`);
  if (advice !== undefined) console.log(`${' '.repeat(start.length)}  → ${advice}`);
}
