/** Bytes that a workbook may unpack to. */
export const workbookBytes = 64 * 1024 * 1024;
/** Exit codes of the process that reads a workbook. */
export const workbookExits = { invalid: 2, tooLarge: 3 } as const;

const endSignature = 'PK\u0005\u0006';
const entrySignature = 0x02014b50;
/** Bytes of the fixed parts of the end record, and of an entry. */
const endBytes = 22;
const entryBytes = 46;
/** A field whose value is somewhere else (ZIP64). */
const elsewhere = [0xffff, 0xffffffff];

/**
 * Bytes that the entries of a ZIP file say they unpack to; a reader that stops there can't be made to unpack more. NaN for
 * a file that is broken or hides its sizes.
 */
export function unpackedBytes(zip: Buffer): number {
  const end = zip.lastIndexOf(endSignature, undefined, 'latin1');
  if (end === -1 || end + endBytes > zip.length) return NaN;
  const count = zip.readUInt16LE(end + 10);
  let at = zip.readUInt32LE(end + 16);
  if (elsewhere.includes(count) || elsewhere.includes(at)) return NaN;
  let sum = 0;
  for (let entry = 0; entry < count; entry += 1) {
    if (at + entryBytes > zip.length || zip.readUInt32LE(at) !== entrySignature) return NaN;
    const [packed, unpacked] = [zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 24)];
    const name = zip.readUInt16LE(at + 28);
    const isFolder = zip[at + entryBytes + name - 1] === 0x2f;
    // Sizes of zero make readers look elsewhere for them.
    if (elsewhere.includes(unpacked) || (unpacked === 0 && packed > 2) || (packed === 0 && !isFolder)) return NaN;
    sum += unpacked;
    at += entryBytes + name + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return sum;
}
