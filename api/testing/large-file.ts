import * as limits from '#contract/limits.ts';

const header = 'id,question,description,options,is_active,created_at,ends_at,starts_at,closed_at,category\n';
const categories = ['climate', 'technology', 'work', 'health', 'education', 'cities'];

/** The largest file of polls that an import takes: as many rows as there may be, and as many bytes. */
export function largestFile(): Buffer {
  const rows = Array.from({ length: limits.importRows }, (_, n) => rowOf(n));
  const bytes = Buffer.byteLength(header) + rows.reduce((sum, row) => sum + Buffer.byteLength(row('')), 0);
  const room = Math.floor((limits.importBytes - bytes) / rows.length);
  return Buffer.from(header + rows.map((row) => row('x'.repeat(room))).join(''));
}

/** A closed poll; `more` is added to its description. */
function rowOf(n: number): (more: string) => string {
  const day = String((n % 28) + 1).padStart(2, '0');
  const month = String((n % 12) + 1).padStart(2, '0');
  const begun = `20${String(10 + (n % 15))}-${month}-${day}T09:00:00Z`;
  const ended = begun.replace('T09', 'T21');
  const options = ['Yes', 'No', 'Not sure'].map(
    (text, place) => `{""id"":""o${place + 1}"",""text"":""${text}"",""votes"":${(n * (place + 7)) % 5_000}}`,
  );
  return (more) =>
    `large-${n + 1},Is number ${n + 1} a good number?,A poll of a large file. ${more},"[${options.join(',')}]",false,${begun},${ended},${begun},${ended},${categories[n % categories.length]}\n`;
}
