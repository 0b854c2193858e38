import * as limits from '#contract/limits.ts';
import { callAdmin } from '#site/admin/admin-session.ts';
import { FormDialog } from '#site/admin/AdminForm.tsx';
import { contentTexts as texts } from '#texts/content-editor.ts';
import { pictureTexts } from '#texts/pictures.ts';

interface InsertProps {
  /** Called with the Markdown to insert. */
  readonly onInsert: (markdown: string) => void;
  readonly onClose: () => void;
}

/** Uploads a picture and asks what it shows. */
export function InsertImage({ onInsert, onClose }: InsertProps) {
  return (
    <FormDialog
      title={texts.imageTitle}
      onClose={onClose}
      cancel={texts.cancel}
      fields={[
        {
          ...{ name: 'file', label: texts.imageFile, hint: texts.imageFileHint, required: texts.noImage },
          wrong: (_, fileOf) => (fileOf('file').size > limits.pictureBytes ? pictureTexts.tooManyBytes : undefined),
          input: { type: 'file', accept: 'image/jpeg,image/png,image/webp,image/gif' },
        },
        {
          ...{ name: 'alt', label: texts.imageAlt, hint: texts.imageAltHint, required: texts.noImageAlt },
          input: { dir: 'auto' },
        },
      ]}
      submit={texts.imageInsert}
      send={async (field, _, fileOf) => {
        const { address } = await callAdmin('uploadContentImage', { file: fileOf('file') });
        onInsert(imageMarkdown(field('alt'), address));
        return texts.imageDone;
      }}
    />
  );
}

/** A picture in Markdown; brackets in its description are part of it. */
export const imageMarkdown = (alt: string, address: string): string =>
  `![${alt
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[\\[\]]/g, '\\$&')}](${address})`;
