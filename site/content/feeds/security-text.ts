const day = 86_400_000;

/**
 * Where to report a vulnerability (RFC 9116). Valid for most of a year and renewed by every build; the date is rounded to
 * the first of a month, so all builds of a month contain the same file.
 */
export function securityText(of: { contact: string; address: string; now: number }): string {
  const later = new Date(of.now + 330 * day);
  const expires = new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth(), 1)).toISOString();
  return [
    `Contact: mailto:${of.contact}`,
    `Expires: ${expires}`,
    'Preferred-Languages: en',
    `Canonical: ${of.address}`,
    '',
  ].join('\n');
}
