import { useState } from 'react';
import { saveFile } from '#site/client/save-file.ts';
import { dispatchVisitEvent } from '#site/ui/visit-event.ts';
import { answersTexts as texts } from '#texts/after-vote.ts';
import styles from './SharePicture.module.css';
import { pngOf } from './svg-to-png.ts';

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
