/** Whether a path gets into the context of an image: the last pattern that fits it, or a folder above it, decides. */
export function isLetIn(path: string, patterns: readonly string[]): boolean {
  const parts = path.split('/');
  const above = parts.map((_, place) => parts.slice(0, place + 1).join('/'));
  let letIn = true;
  for (const line of patterns) {
    const pattern = line.trim();
    if (pattern === '' || pattern.startsWith('#')) continue;
    const back = pattern.startsWith('!');
    const fits = fitting(back ? pattern.slice(1) : pattern);
    if (above.some((one) => fits.test(one))) letIn = back;
  }
  return letIn;
}

/** Docker's own rules: unlike in a shell, a star fits what begins with a dot. */
function fitting(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/|\*/g, (stars) => (stars === '*' ? '[^/]*' : '(?:.*/)?'));
  return new RegExp(`^${source}$`);
}
