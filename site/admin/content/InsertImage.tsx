import { useId, useState } from 'react';
import * as limits from '#contract/limits.ts';
import { ActionDialog } from '#site/admin/ActionDialog.tsx';
import { callAdmin } from '#site/admin/admin-session.ts';
import { Field } from '#site/ui/Field.tsx';
import { contentTexts as texts } from '#texts/content-editor.ts';
import { pictureTexts } from '#texts/pictures.ts';

interface InsertProps {
  /** Called with the Markdown to insert. */
  readonly onInsert: (markdown: string) => void;
  readonly onClose: () => void;
}

/** Uploads a picture and asks what it shows. */
export function InsertImage({ onInsert, onClose }: InsertProps) {
  const id = useId();
  const [file, setFile] = useState<File | null>(null);
  const [alt, setAlt] = useState('');
  const action = async () => {
    const { address } = await callAdmin('uploadContentImage', { file: file! });
    onInsert(imageMarkdown(alt, address));
    return texts.imageDone;
  };
  const isTooLarge = file !== null && file.size > limits.pictureBytes;
  return (
    <ActionDialog
      {...{ action, onClose }}
      title={texts.imageTitle}
      confirm={texts.imageInsert}
      cancel={texts.cancel}
      disabled={file === null || isTooLarge || alt.trim() === ''}
    >
      <Field
        id={`${id}-file`}
        label={texts.imageFile}
        hint={texts.imageFileHint}
        problem={isTooLarge ? pictureTexts.tooManyBytes : undefined}
      >
        {(control) => (
          <input
            {...control}
            className="input"
            type="file"
            accept="image/jpeg,image/png,image/webp,image/gif"
            onChange={({ target }) => setFile(target.files?.[0] ?? null)}
          />
        )}
      </Field>
      <Field id={`${id}-alt`} label={texts.imageAlt} hint={texts.imageAltHint}>
        {(control) => (
          <input
            {...control}
            className="input"
            dir="auto"
            value={alt}
            onChange={({ target }) => setAlt(target.value)}
          />
        )}
      </Field>
    </ActionDialog>
  );
}

/** A picture in Markdown; brackets in its description are part of it. */
export const imageMarkdown = (alt: string, address: string): string =>
  `![${alt
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[\\[\]]/g, '\\$&')}](${address})`;
