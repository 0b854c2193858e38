// Characters that XML 1.0 doesn’t allow, even escaped.
const forbidden =
  /[\0-\b\v\f\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** A text without characters that XML forbids. */
export function xmlText(text: string): string {
  return text.replace(forbidden, '');
}

/** A plain text for a feed: feed readers interpret titles and summaries as HTML. */
export function feedHtml(text: string): string {
  return xmlText(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
