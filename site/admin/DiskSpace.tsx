import { Notice } from '#site/ui/Notice.tsx';
import { diskTexts as texts } from '#texts/admin.ts';
import { usePublishing } from './use-publishing.ts';

/** That the disk has little room left; nothing while there is enough. */
export function DiskSpace() {
  const disk = usePublishing().data?.disk;
  if (!disk || disk.level === 'ok') return null;
  const { level, freeBytes, wantedBytes } = disk;
  return (
    <Notice
      level={2}
      failed={level !== 'low'}
      title={texts.titles[level]}
      text={`${texts.room(freeBytes, wantedBytes)} ${texts.meaning[level]}`}
    />
  );
}
