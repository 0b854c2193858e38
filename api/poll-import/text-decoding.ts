import * as limits from '#contract/limits.ts';
import { importFileTexts } from '#texts/poll-import.ts';
import { refuse } from './import-problem.ts';

/**
 * The text of a file: UTF-8 with or without a byte order mark, or UTF-16 with one. Throws a FileRefused for
 * anything else, for no bytes, and for more bytes than an import takes. `onBytes` hears how many were read.
 */
export async function* decodeText(
  source: AsyncIterable<Uint8Array>,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let head: Uint8Array = new Uint8Array();
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.byteLength;
    if (bytes > limits.importBytes) throw refuse('file_too_large', importFileTexts.file_too_large(limits.importBytes));
    onBytes?.(bytes);
    if (decoder) {
      yield decode(decoder, chunk);
      continue;
    }
    head = head.byteLength === 0 ? chunk : Buffer.concat([head, chunk]);
    if (head.byteLength < 3) continue;
    decoder = decoderFor(head);
    yield decode(decoder, head);
  }
  if (bytes === 0) throw refuse('empty_file', importFileTexts.empty_file);
  if (!decoder) {
    decoder = decoderFor(head);
    yield decode(decoder, head);
  }
  yield decode(decoder);
}

function decoderFor(head: Uint8Array): TextDecoder {
  const encoding =
    head[0] === 0xff && head[1] === 0xfe ? 'utf-16le' : head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding, { fatal: true });
}

function decode(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch {
    throw refuse('encoding', importFileTexts.encoding);
  }
}
