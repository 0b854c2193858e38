import type { EditedPoll } from '#api/polls/poll-editor.contract.ts';

/** The address of the previews of a poll, as it would be published. */
export const previewPath = ({ id, previewToken }: Pick<EditedPoll, 'id' | 'previewToken'>): string =>
  `/poll/${id}/preview?preview=${encodeURIComponent(previewToken)}`;
