import { useState } from 'react';
import { saveFile } from '#site/client/save-file.ts';
import { dispatchVisitEvent } from '#site/ui/visit-event.ts';
import { answersTexts as texts } from '#texts/after-vote.ts';
import styles from './SharePicture.module.css';

interface SharePictureProps {
  /** Returns the picture as an SVG file. */
  readonly draw: () => string;
  /** Name of the picture as a PNG file. */
  readonly fileName: string;
  readonly small?: boolean;
}

/** Buttons that share or save a picture, which is drawn in the browser. */
export function SharePicture({ draw, fileName, small = false }: SharePictureProps) {
  const [failed, setFailed] = useState(false);
  const canShare = typeof navigator.canShare === 'function';
  const size = small ? ' button--small' : '';

  const handlePicture = async (send: (picture: Blob) => void | Promise<void>) => {
    setFailed(false);
    try {
      // A data URL, because the content security policy forbids images from blobs.
      await send(await pngOf(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(draw())}`));
    } catch (error) {
      setFailed((error as Error).name !== 'AbortError');
    }
  };
  const share = async (picture: Blob) => {
    const files = [new File([picture], fileName, { type: picture.type })];
    if (navigator.canShare({ files })) {
      await navigator.share({ files });
      dispatchVisitEvent('share');
    } else saveFile(fileName, picture);
  };

  return (
    <>
      <p className={`no-print ${styles.buttons}`}>
        {canShare && (
          <button
            type="button"
            className={`button${small ? size : ' button--primary'}`}
            onClick={() => void handlePicture(share)}
          >
            {texts.sharePicture}
          </button>
        )}
        <button
          type="button"
          className={`button${size}`}
          onClick={() => void handlePicture((picture) => saveFile(fileName, picture))}
        >
          {texts.downloadPicture}
        </button>
      </p>
      <p className={styles.failed} role="status">
        {failed && texts.failed}
      </p>
    </>
  );
}

/** Pixels of the picture per pixel of the drawing, for sharp letters. */
const pngScale = 2;

/** Renders an SVG, given its path or data URL, as PNG in the browser, which has fonts for every script. Rejects if it can’t. */
async function pngOf(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = svg;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth * pngScale;
  canvas.height = image.naturalHeight * pngScale;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const png = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (png === null) throw new Error('The browser returned no picture.');
  return png;
}
